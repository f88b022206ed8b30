import { fetchQuery, graphql } from 'react-relay/hooks'
import type { IEnvironment } from 'relay-runtime'
import type { countRequestsQuery } from '../../../generated/console/countRequestsQuery.graphql.ts'

const [pauseMs, longestPauseMs] = [1000, 60_000]
/** An answer may already contain the changes that the page receives within this time after it. */
export const settleMs = 2000

/** Asks the service for the numbers of what is unread and the dots of groups, at most once a second. */
export class CountRequests {
  readonly #environment: () => IEnvironment
  /** At first, the page itself loads the numbers. */
  isAsking = true
  /** Whether the numbers must be asked for again. */
  #isUnsure = false
  #askedAt = Number.NEGATIVE_INFINITY
  #answeredAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #checkPauseMs = settleMs

  constructor(environment: () => IEnvironment) {
    this.#environment = environment
  }

  /** Whether the next change must ask, because the last request has failed. */
  get hasFailed(): boolean {
    return this.#isUnsure && !this.isAsking
  }

  /** Whether the last answer may contain a change that the page receives now. */
  get isUnsettled(): boolean {
    return this.isAsking || performance.now() - this.#answeredAt < settleMs
  }

  ask(): void {
    this.#checkPauseMs = settleMs
    if (this.isAsking) this.#isUnsure = true
    else this.#askAfter(Math.max(0, this.#askedAt + pauseMs - performance.now()))
  }

  /** Asks again after an answer that came while threads changed. While they continue to change, asks less and less often. */
  check(): void {
    if (this.isAsking) this.#isUnsure = true
    else if (this.#timer === undefined) {
      this.#askAfter(this.#checkPauseMs)
      this.#checkPauseMs = Math.min(this.#checkPauseMs * 2, longestPauseMs)
    }
  }

  /** Call it when the page loads the numbers again. */
  begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#checkPauseMs = settleMs
    this.isAsking = true
  }

  /** Call it when numbers have arrived. */
  answered(): void {
    this.#answeredAt = performance.now()
    this.isAsking = false
    if (this.#isUnsure) this.check()
    this.#isUnsure = false
  }

  #askAfter(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#send(), waitMs)
  }

  #send(after: string | null = null): void {
    this.#timer = undefined
    this.isAsking = true
    this.#askedAt = performance.now()
    fetchQuery<countRequestsQuery>(this.#environment(), query, { after }).subscribe({
      next: ({ viewer }) => {
        const page = viewer?.user.groups?.pageInfo
        if (page?.hasNextPage) this.#send(page.endCursor)
        else this.isAsking = false
      },
      error: () => {
        this.isAsking = false
        this.#isUnsure = true
      },
    })
  }
}

const query = graphql`
  query countRequestsQuery($after: String) {
    viewer {
      unread { threads directMessages mentions }
      user { groups(first: 100, after: $after) { nodes { id hasUnread } pageInfo { hasNextPage endCursor } } }
    }
    latest: threads(first: 1, order: lastMessage, filter: { mine: true }) { nodes { id lastActivityAt } }
  }
`
