import { newKey } from '../../relay/new-key.ts'
import { useViewer } from '../../session/viewer.ts'
import {
  keepFailed,
  type Outgoing,
  removeMessage,
  removeSent,
  startSending,
  storedMessage,
  type Target,
  useMessages,
} from './outbox.ts'
import { type Sent, useSend } from './use-send.ts'

type Options = { sendOne: ReturnType<typeof useSend>; onSent: (sent: Sent) => void }

/** The last message of each outbox that this page is sending. */
const queues = new Map<string, Promise<void>>()

/** The keys of the messages that this page could not send, because it could not reach the service. */
const waiting = new Map<string, Options>()
let reconnects = 0

/** Returns whether this page sends a message again when the connection is restored. */
export function isWaiting({ key }: Outgoing): boolean {
  return waiting.has(key)
}

/** Sends the messages again that this page could not send before the connection was restored. */
export function sendWaiting(): void {
  reconnects += 1
  const again = [...waiting]
  waiting.clear()
  for (const [key, options] of again) {
    const item = storedMessage(key)
    if (item) enqueue(item, options)
  }
}

/** Sends messages one after another. This browser stores each message until it is in the thread. */
export function useOutbox(storageKey: string, onSent: (sent: Sent) => void) {
  const outbox = `${useViewer().id}:${storageKey}`
  const options = { sendOne: useSend(), onSent }
  return {
    items: useMessages().filter((item) => item.outbox === outbox),
    remove: removeMessage,
    /** Sends a message. If the service already received a message with this `key`, the new one replaces it. */
    send: (target: Target, text: string, files: Outgoing['files'], key = newKey()) =>
      enqueue({ key, outbox, target, text, files, writtenAt: Date.now(), problem: null }, options),
    /** Sends a message that failed. The service stores it only once, because it keeps its key. */
    retry: (item: Outgoing) => enqueue(item, options),
  }
}

/** Sends a message of an outbox when the messages before it are sent or have failed. */
function enqueue(item: Outgoing, options: Options): void {
  const { key, outbox } = item
  waiting.delete(key)
  startSending(item)
  const send = async (): Promise<void> => {
    // In another tab, the person may have discarded the message, or sent it with another text.
    const current = storedMessage(key)
    if (!current) return removeMessage(key)
    const reconnectsBefore = reconnects
    const result = await options.sendOne(current)
    if (!('problem' in result)) {
      removeSent(current)
      return options.onSent(result)
    }
    const { isUnreachable, ...failure } = result
    // A lost request can fail after the connection is restored.
    if (isUnreachable && reconnects > reconnectsBefore) return send()
    if (isUnreachable) waiting.set(key, options)
    keepFailed(key, failure)
  }
  queues.set(outbox, (queues.get(outbox) ?? Promise.resolve()).then(send, send))
}
