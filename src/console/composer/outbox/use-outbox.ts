import { useEffect } from 'react'
import { newKey } from '../../relay/new-key.ts'
import { useViewer } from '../../session/viewer.ts'
import { outboxPrefix } from '../storage/browser-storage.ts'
import { pageID } from '../storage/page-locks.ts'
import { usePageValue } from '../storage/page-values.ts'
import { enqueue, sendAgain } from './enqueue.ts'
import { followStored, outboxes, removeItem, replaceItems } from './kept-outboxes.ts'
import type { Outgoing } from './outgoing.ts'
import type { Target } from './target.ts'
import { type Sent, useSend } from './use-send.ts'

/** Sends messages one after another. This browser stores each message until it is in the thread. */
export function useOutbox(storageKey: string, onSent: (sent: Sent) => void) {
  const storedAs = `${outboxPrefix}${useViewer().id}:${storageKey}`
  const outbox = outboxes(storedAs)
  const sendOne = useSend()
  useEffect(() => followStored(storedAs), [storedAs])

  const options = { sendOne, onSent }
  return {
    items: usePageValue(outbox),
    remove: (key: string) => removeItem(storedAs, key),
    /** Sends a message. If the service already received a message with this `key`, the new one replaces it. */
    send: (target: Target, text: string, files: Outgoing['files'], key = newKey()) => {
      const item = { key, target, text, files, problem: null, page: pageID }
      replaceItems(storedAs, [...outbox.get(), item])
      enqueue(storedAs, item, options)
    },
    retry: (item: Outgoing) => sendAgain(storedAs, item, options),
  }
}
