import { useSyncExternalStore } from 'react'
import { Observable } from 'relay-runtime'
import { FailedOperation, isUnreachable } from './error-text.ts'
import { untilRetry } from './retry.ts'

/** The requests that have failed, and are sent again. */
const failing = new Set<object>()
const listeners = new Set<() => void>()

function setFailing(request: object, isFailing: boolean): void {
  if (failing.has(request) === isFailing) return
  if (isFailing) failing.add(request)
  else failing.delete(request)
  for (const listener of listeners) listener()
}

/** Returns whether the page shows old data, because it could not load the data again. It tries until it succeeds. */
export function useHasOldData(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => failing.size > 0,
  )
}

type OldData = {
  /** Whether the page shows the data. */
  isShown: () => boolean
  /** Calls a function when the page may not show the data anymore. */
  onRelease: (listener: () => void) => () => void
}

/** Sends a request again while it fails and the page shows its old data, until it succeeds or is refused. */
export function keepTrying<Answer>(load: () => Promise<Answer>, oldData: OldData): Observable<Answer> {
  return Observable.create((sink) => {
    const request = {}
    const send = (attempt: number): Promise<void> =>
      load().then(
        (answer) => {
          sink.next(answer)
          sink.complete()
        },
        async (error) => {
          if (sink.closed) return
          if (!isPassing(error) || !oldData.isShown()) return sink.error(error)
          setFailing(request, true)
          await untilRetry(attempt)
          if (!sink.closed) await send(attempt + 1)
        },
      )
    void send(0)
    // Relay does not end the request when the last component that uses it is gone.
    const ignore = oldData.onRelease(() => {
      if (failing.has(request) && !oldData.isShown()) sink.complete()
    })
    return () => {
      ignore()
      setFailing(request, false)
    }
  })
}

function isPassing(error: Error): boolean {
  return isUnreachable(error) || (error instanceof FailedOperation && error.isPassing)
}
