import type { Operation, State } from '../../../src/webhooks/formats/format.ts'

type Message = { text: string; state: State | null; version: number }
type Thread = {
  subject: string
  state: State | null
  isClosed: boolean
  closingVersion: number
  messages: Map<string, Message>
}

/** What docs/webhooks.md says about `version`, `state`, `threadState` and `threadClosed`, in memory. */
export class ModelThreads {
  readonly #threads = new Map<string, Thread>()

  write(operation: Operation): void {
    const { threadBy = '', threadSubject = '', uniqueBy = '', onlyInThread } = operation
    const known = this.#threads.get(threadBy)
    if (!known && onlyInThread) return
    const thread = known ?? newThread(threadSubject)
    this.#threads.set(threadBy, thread)
    const old = thread.messages.get(uniqueBy)
    const version = Number(operation.version ?? 0)
    if (old && version < old.version) return
    const state = operation.state ?? old?.state ?? null
    const isChange = old?.text !== operation.text || old.state !== state
    thread.messages.set(uniqueBy, { text: operation.text, state, version })
    changeThread(thread, operation, isChange)
  }

  content() {
    const threads = [...this.#threads.values()]
    const messages = threads.flatMap((thread) => [...thread.messages.values()])
    return {
      threads: threads.map(({ subject, state, isClosed }) => ({ subject, state, isClosed })),
      messages: messages
        .map(({ text, state }) => ({ text, state }))
        .toSorted((one, other) => (one.text < other.text ? -1 : 1)),
    }
  }
}

function newThread(subject: string): Thread {
  return { subject, state: null, isClosed: false, closingVersion: 0, messages: new Map() }
}

function changeThread(thread: Thread, operation: Operation, isChange: boolean): void {
  const { state, threadState, threadClosed } = operation
  const version = Number(operation.version ?? 0)
  if (threadState !== undefined && threadState !== 'keep') thread.state = threadState
  else if (threadState === undefined && isChange && state) thread.state = state
  if (typeof threadClosed !== 'boolean' || version < thread.closingVersion) return
  thread.isClosed = threadClosed
  thread.closingVersion = version
}
