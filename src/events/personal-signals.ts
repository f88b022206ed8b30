import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Notifications } from '../database/notifications.ts'
import { bindingOf } from '../platform/request-database.ts'

/** A change that concerns one person only, such as that the person has read a thread. It is not in the log. */
export type PersonalSignal = { workspaceID: string; userID: string; threadID: string }

type Listener = (threadID: string) => void

/** Tells a person's subscriptions of changes that concern only this person. Signals between processes can be lost. */
export class PersonalSignals {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Passes signals on to other processes. */
  onSend: ((signal: PersonalSignal) => void) | undefined

  /** Call it after the change is committed. */
  send(signal: PersonalSignal): void {
    this.receive(signal)
    this.onSend?.(signal)
  }

  receive({ workspaceID, userID, threadID }: PersonalSignal): void {
    for (const listener of this.#listeners.get(`${workspaceID} ${userID}`) ?? []) listener(threadID)
  }

  listen({ workspaceID, userID }: Omit<PersonalSignal, 'threadID'>, listener: Listener): () => void {
    const key = `${workspaceID} ${userID}`
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(key)
    }
  }
}

const channel = 'skein_personal'

export function shareSignals(signals: PersonalSignals, notifications: Notifications): void {
  const processID = randomUUID()
  signals.onSend = ({ workspaceID, userID, threadID }) =>
    notifications.send(channel, [processID, workspaceID, userID, threadID].join(' '))
  notifications.on(channel, (payload) => {
    const [sender, workspaceID = '', userID = '', threadID] = payload.split(' ')
    if (sender !== processID && threadID !== undefined) signals.receive({ workspaceID, userID, threadID })
  })
}

const signals = new WeakMap<Database, PersonalSignals>()

/** Returns the signals of a database. All requests of this process that use this database share them. */
export function personalSignals(db: Database): PersonalSignals {
  const { shared } = bindingOf(db)
  const own = signals.get(shared) ?? new PersonalSignals()
  signals.set(shared, own)
  return own
}
