import { useEffect, useEffectEvent } from 'react'
import { useReconnect } from '../../session/use-reconnect.ts'
import { useViewer } from '../../session/viewer.ts'
import { outboxPrefix, storedKeys } from '../storage/browser-storage.ts'
import { pageID, whenClosed } from '../storage/page-locks.ts'
import { enqueue, sendInterrupted } from './enqueue.ts'
import { takeOver } from './kept-outboxes.ts'
import { storedMessages } from './outgoing.ts'
import { useSend } from './use-send.ts'

/**
 * Sends again the messages that this page could not send while the connection was lost, and the messages that another
 * page of the person was sending when it was closed or reloaded. The service may have received them, but never stores
 * them twice.
 */
export function useResend(workspaceID: string): void {
  const prefix = `${outboxPrefix}${useViewer().id}:${workspaceID}:`
  const sendOne = useSend()
  useReconnect(sendInterrupted)
  const resend = useEffectEvent((prefix: string) => {
    for (const storedAs of storedKeys(prefix)) {
      for (const page of otherSenders(storedAs)) {
        // The lock is kept until the messages are sent. The next tab that gets it then finds nothing to send.
        whenClosed(page, storedAs, () =>
          Promise.all(takeOver(storedAs, page).map((item) => enqueue(storedAs, item, { sendOne }))),
        )
      }
    }
  })
  useEffect(() => {
    const resendAll = () => resend(prefix)
    resendAll()
    window.addEventListener('storage', resendAll)
    return () => window.removeEventListener('storage', resendAll)
  }, [prefix])
}

/** Returns the IDs of the other pages that are sending messages, or were sending messages when they were closed. */
function otherSenders(storedAs: string): ReadonlySet<string> {
  const sending = storedMessages(storedAs).filter(({ problem, page }) => problem === null && page !== pageID)
  return new Set(sending.map(({ page }) => page))
}
