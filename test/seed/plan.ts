/** How big the busy team is. All choices are random, but the same for the same size. */
export type Size = { people: number; groups: number; threads: number; messages: number }

/** People, webhooks and groups are numbers: their places in the team. */
export type Author = { person: number } | { webhook: number }
export type PlannedThread =
  | { kind: 'chat'; group: number }
  | { kind: 'dm'; between: readonly [number, number] }
  | { kind: 'thread'; group: number; subject: string; named?: number; threadBy?: string }

/** `at` is from 0 to 1. An update replaces the text of an earlier post with the same `uniqueBy`. */
export type Post = {
  at: number
  thread: number
  author: Author
  text: string
  mention?: { person: number } | { group: number }
  uniqueBy?: string
  isUpdate?: boolean
  state?: 'running' | 'failed' | 'ok'
  threadClosed?: boolean
  file?: string
  reaction?: { person: number; emoji: string }
}

/** `members` has the people of each group. */
export type Plan = { members: readonly number[][]; threads: PlannedThread[]; posts: Post[] }
