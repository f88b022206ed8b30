import { isPageClosed, pageID } from '../storage/page-locks.ts'
import { pageValues } from '../storage/page-values.ts'
import { outboxes, removeItem, updateItem } from './kept-outboxes.ts'
import type { Outgoing } from './outgoing.ts'
import type { Sent, useSend } from './use-send.ts'

const queues = pageValues(() => Promise.resolve())

type Options = { sendOne: ReturnType<typeof useSend>; onSent?: (sent: Sent) => void }

/** Functions that send a message again. It failed because the service could not be reached. */
let interrupted: (() => void)[] = []
let reconnects = 0

/** Sends the messages again that this page could not send before the connection was restored. */
export function sendInterrupted(): void {
  reconnects += 1
  const again = interrupted
  interrupted = []
  for (const sendAgain of again) sendAgain()
}

/** Sends a message of an outbox when the messages before it are sent or have failed. */
export function enqueue(storedAs: string, item: Outgoing, options: Options): Promise<void> {
  const queue = queues(storedAs)
  const send = async (): Promise<void> => {
    const reconnectsBefore = reconnects
    const result = await options.sendOne(item)
    if ('problem' in result) {
      // The browser cancels the requests of a page that is closed. Another page then sends the message again.
      if (isPageClosed()) return
      // A lost request can fail after the connection is restored.
      if (result.isUnreachable && reconnects > reconnectsBefore) return send()
      updateItem(storedAs, item.key, result)
      if (result.isUnreachable) interrupted.push(() => resume(storedAs, item, options))
      return
    }
    removeItem(storedAs, item.key)
    options.onSent?.(result)
  }
  const sending = queue.get().then(send, send)
  queue.set(sending)
  return sending
}

/** Sends a message that failed. The service stores it only once, because it keeps its key. */
export function sendAgain(storedAs: string, item: Outgoing, options: Options): void {
  updateItem(storedAs, item.key, { problem: null, isUnreachable: false, page: pageID })
  enqueue(storedAs, item, options)
}

/** Does nothing if the person has edited, discarded or sent the message meanwhile, also in another tab. */
function resume(storedAs: string, { key }: Outgoing, options: Options): void {
  const item = outboxes(storedAs)
    .get()
    .find((one) => one.key === key)
  if (item?.isUnreachable) sendAgain(storedAs, item, options)
}
