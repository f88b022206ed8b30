import { randomFillSync } from 'node:crypto'
import KSUID from 'ksuid'

const prefixes = ['wks', 'usr', 'grp', 'thr', 'msg', 'fil', 'app', 'wbh', 'upl'] as const
export type Prefix = (typeof prefixes)[number]

const shape = new RegExp(`^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`)

// The system's random source is asked for many IDs at once: one question costs more than making the ID.
const payloadBytes = 16
const payloads = Buffer.alloc(256 * payloadBytes)
let unused = payloads.length

/** Makes an ID: the prefix and a KSUID, 27 base-62 characters of which the first ones follow the clock. */
export function newID(prefix: Prefix): string {
  if (unused === payloads.length) {
    randomFillSync(payloads)
    unused = 0
  }
  const payload = payloads.subarray(unused, unused + payloadBytes)
  unused += payloadBytes
  return `${prefix}_${KSUID.fromParts(Date.now(), payload).string}`
}

/** The prefix of an ID, or undefined for text that no ID can be. */
export function prefixOf(id: string): Prefix | undefined {
  return shape.exec(id)?.[1] as Prefix | undefined
}
