import type { Cast } from '../deployment/cast.ts'
import type { Client } from '../deployment/requests.ts'
import type { OrderedThread, ReadMark } from '../history.ts'
import type { Random } from '../random.ts'
import type { Recorder } from './recorder.ts'

/** What a writer works with. */
export type Desk = {
  cast: Cast
  client: Client
  recorder: Recorder
  random: Random
  /** Messages of the thread for everyone, which can be marked as read. */
  postedIDs: string[]
  marks: ReadMark[]
  ordered: OrderedThread[]
}

let texts = 0
let calls = 0
/** The number of calls with the same key. */
const callsPerKey = 5

/** Returns a text that no other message has. */
export function newText(word: 'fresh' | 'revised'): string {
  texts += 1
  return `${word} ${texts}`
}

/** Returns the number of the key for the next call with a key. Several calls use a key at the same time. */
export function nextKey(): number {
  calls += 1
  return Math.floor(calls / callsPerKey)
}
