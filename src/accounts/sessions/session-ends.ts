import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import { bindingOf } from '../../platform/request-database.ts'

/** Tells open streams that sessions of an account have ended. Signals between processes can be lost. */
export class SessionEnds {
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Passes signals on to other processes. */
  onSend: ((accountID: string) => void) | undefined

  /** Call it after the change is committed. */
  send(accountID: string): void {
    this.receive(accountID)
    this.onSend?.(accountID)
  }

  receive(accountID: string): void {
    for (const listener of this.#listeners.get(accountID) ?? []) listener()
  }

  listen(accountID: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(accountID) ?? new Set()
    this.#listeners.set(accountID, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(accountID)
    }
  }
}

const channel = 'skein_sessions'

export function shareSessionEnds(ends: SessionEnds, notifications: Notifications): void {
  const processID = randomUUID()
  ends.onSend = (accountID) => notifications.send(channel, `${processID} ${accountID}`)
  notifications.on(channel, (payload) => {
    const [sender, accountID] = payload.split(' ')
    if (sender !== processID && accountID !== undefined) ends.receive(accountID)
  })
}

const endsOf = new WeakMap<Database, SessionEnds>()

/** Returns the signals of a database. All requests of this process that use this database share them. */
export function sessionEnds(db: Database): SessionEnds {
  const { shared } = bindingOf(db)
  const own = endsOf.get(shared) ?? new SessionEnds()
  endsOf.set(shared, own)
  return own
}
