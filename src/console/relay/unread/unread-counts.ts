import type { IEnvironment } from 'relay-runtime'
import { CountRequests, settleMs } from './count-requests.ts'
import { noPart, numbers, partOf, type Records, type ThreadPart, timesOf } from './thread-part.ts'
import { type Change, writeUnread } from './write-unread.ts'

/** An answer may contain messages that were sent just after the latest activity that it names. */
const closeMs = 1000

type Known = {
  part: ThreadPart
  /** When the thread was loaded, unless the numbers contain a later change of it. */
  loadedAt: number | null
}

/**
 * Keeps the numbers of what is unread current, and the dots of groups, in the Relay store. It counts from the changes of
 * threads that the page has loaded, or that began after the last answer. It asks the service only if the page cannot know.
 */
export class UnreadCounts {
  readonly #environment: () => IEnvironment
  readonly #requests: CountRequests
  readonly #known = new Map<string, Known>()
  /** The threads whose next state in the store is a change. Other states were only loaded. */
  readonly #changing = new Set<string>()
  /** The threads that changed before the answer. */
  readonly #waiting = new Set<string>()
  #changes: Change[] = []
  #isWriting = false
  /** The time of the latest activity in the threads that the last answer counted. */
  #latestActivity = 0

  constructor(environment: () => IEnvironment) {
    this.#environment = environment
    this.#requests = new CountRequests(environment)
  }

  /** Call it before the store receives a change of a thread. */
  expectChange(threadID: string): void {
    this.#changing.add(threadID)
  }

  /** Call it before the store receives the result of a mutation. Later, the stream delivers the thread with all fields. */
  expectResult(payloads: Record<string, { thread?: { id?: string } } | null>): void {
    for (const payload of Object.values(payloads)) {
      const id = payload?.thread?.id
      if (id !== undefined && this.#known.has(id)) this.#changing.add(id)
    }
  }

  /** Call it if changes may be missing, and the page loads the numbers again. */
  forget(): void {
    this.#known.clear()
    this.#requests.begin()
  }

  /** Call it after the store has received records. `all` has all records of the store. */
  received(source: Records, all: Records): void {
    if (this.#isWriting) return
    const ids = source.getRecordIDs()
    const threadIDs = ids.filter((id) => id.startsWith('thr_'))
    for (const id of threadIDs) {
      if (this.#changing.delete(id)) this.#waiting.add(id)
      else this.#load(id, source)
    }
    if (ids.some((id) => source.get(id)?.__typename === 'UnreadCounts')) {
      this.#latestActivity = Math.max(0, ...threadIDs.map((id) => timesOf(source, id).lastActivity))
      this.#requests.answered()
    }
    if (this.#requests.isAsking) return
    for (const id of this.#waiting) this.#change(id, all)
    this.#waiting.clear()
  }

  #load(id: string, source: Records): void {
    const part = this.#known.has(id) ? undefined : partOf(source, id)
    if (part) this.#known.set(id, { part, loadedAt: performance.now() })
  }

  #change(id: string, all: Records): void {
    const part = partOf(all, id)
    if (!part) return
    const { part: knownPart, loadedAt = null } = this.#known.get(id) ?? {}
    const isFirst = knownPart === undefined || loadedAt !== null
    this.#known.set(id, { part, loadedAt: null })
    const { began, lastActivity } = timesOf(all, id)
    const { isUnsettled, hasFailed } = this.#requests
    const age = this.#latestActivity - lastActivity
    if (isUnsettled && age < 0 && age > -closeMs) this.#requests.check()
    // The last answer contains the messages up to its latest activity, but perhaps not what was read since.
    const isUnread = numbers.some((name) => part[name] > 0)
    if (isFirst && isUnsettled && age >= 0 && isUnread) return
    const isNew = isFirst && part.isMine && began > this.#latestActivity
    const former = isNew ? noPart : knownPart
    if (!former || hasFailed) {
      this.#requests.ask()
      return
    }
    const isOther = numbers.some((name) => former[name] !== part[name])
    const isJustLoaded = !isNew && loadedAt !== null && performance.now() - loadedAt < settleMs
    if (isJustLoaded || (isUnsettled && age >= 0 && isOther)) this.#requests.check()
    if (this.#changes.length === 0) queueMicrotask(() => this.#write())
    this.#changes.push({ former, part })
  }

  /** Writes to the store after it has stored the changes. */
  #write(): void {
    const changes = this.#changes.splice(0)
    const parts = [...this.#known.values()].map(({ part }) => part)
    let isKnown = true
    this.#isWriting = true
    this.#environment().commitUpdate((store) => {
      isKnown = writeUnread(store, changes, parts)
    })
    this.#isWriting = false
    if (!isKnown) this.#requests.ask()
  }
}
