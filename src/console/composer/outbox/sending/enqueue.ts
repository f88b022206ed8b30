import { isPageClosed } from '../../storage/page-locks.ts'
import { pageValues } from '../../storage/page-values.ts'
import { removeItem, updateItem } from '../kept-outboxes.ts'
import type { Outgoing } from '../outgoing.ts'
import type { Sent, useSend } from './use-send.ts'

const queues = pageValues(() => Promise.resolve())

type Options = { sendOne: ReturnType<typeof useSend>; onSent?: (sent: Sent) => void }

/** Sends a message of an outbox when the messages before it are sent or have failed. */
export function enqueue(storedAs: string, item: Outgoing, { sendOne, onSent }: Options): Promise<void> {
  const queue = queues(storedAs)
  const send = async () => {
    const result = await sendOne(item)
    if ('problem' in result) {
      // The browser cancels the requests of a page that is closed. Another page then sends the message again.
      if (!isPageClosed()) updateItem(storedAs, item.key, result)
      return
    }
    removeItem(storedAs, item.key)
    onSent?.(result)
  }
  const sending = queue.get().then(send, send)
  queue.set(sending)
  return sending
}
