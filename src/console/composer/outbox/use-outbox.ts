import { useEffect } from 'react'
import { newKey } from '../../relay/new-key.ts'
import { useViewer } from '../../workspace/viewer.ts'
import { onStored, outboxPrefix } from '../storage/browser-storage.ts'
import { pageID } from '../storage/page-locks.ts'
import { pageValues, usePageValue } from '../storage/page-values.ts'
import type { Target } from '../target.ts'
import { followStored, outboxes, replaceItems } from './kept-outboxes.ts'
import type { Outgoing } from './outgoing.ts'
import { type Sent, useSend } from './use-send.ts'

const queues = pageValues(() => Promise.resolve())

/** Sends messages one after another. This browser stores each message until it is in the thread. */
export function useOutbox(storageKey: string, onSent: (sent: Sent) => void) {
  const storedAs = `${outboxPrefix}${useViewer().id}:${storageKey}`
  const outbox = outboxes(storedAs)
  const queue = queues(storedAs)
  const sendOne = useSend()
  useEffect(() => {
    followStored(storedAs)
    return onStored(storedAs, () => followStored(storedAs))
  }, [storedAs])

  const change = (next: readonly Outgoing[]) => replaceItems(storedAs, next)
  const remove = (key: string) => change(outbox.get().filter((item) => item.key !== key))
  const update = (key: string, fields: Partial<Outgoing>) =>
    change(outbox.get().map((item) => (item.key === key ? { ...item, ...fields } : item)))
  const enqueue = (item: Outgoing) => {
    const send = async () => {
      const result = await sendOne(item)
      if ('problem' in result) return update(item.key, result)
      remove(item.key)
      onSent(result)
    }
    queue.set(queue.get().then(send, send))
  }
  return {
    items: usePageValue(outbox),
    remove,
    /** Sends a message. If the service already received a message with this `key`, the new one replaces it. */
    send: (target: Target, text: string, files: Outgoing['files'], key = newKey()) => {
      const item = { key, target, text, files, problem: null, page: pageID }
      change([...outbox.get(), item])
      enqueue(item)
    },
    retry: (item: Outgoing) => {
      update(item.key, { problem: null, page: pageID })
      enqueue(item)
    },
  }
}
