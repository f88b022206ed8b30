import { randomFillSync } from 'node:crypto'

const prefixes = ['wks', 'usr', 'grp', 'thr', 'msg', 'fil', 'app', 'wbh', 'upl'] as const
export type Prefix = (typeof prefixes)[number]

const shape = new RegExp(`^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = digits.length
const length = 27
/** The moment from which KSUIDs count their seconds: 2014-05-13T16:53:20Z. */
const epochSeconds = 1_400_000_000
const payloadWords = 4

// The system's random source is asked for many IDs at once: one question costs more than making the ID.
const payloads = new Uint32Array(256 * payloadWords)
let unused = payloads.length

/**
 * Makes an ID: the prefix and a KSUID, which is 32 bits of seconds and 128 random ones, in 27 base-62 characters of
 * which the first ones follow the clock (https://github.com/segmentio/ksuid). Each message has one, so it is made here:
 * the package for it took as long as the whole parsing of a request.
 */
export function newID(prefix: Prefix): string {
  if (unused === payloads.length) {
    randomFillSync(payloads)
    unused = 0
  }
  const number = [
    Math.floor(Date.now() / 1000) - epochSeconds,
    ...payloads.subarray(unused, unused + payloadWords),
  ]
  unused += payloadWords
  return `${prefix}_${inBase62(number)}`
}

/** Divides a number of 32-bit words by 62³ until its digits are there, the last three first. */
function inBase62(words: number[]): string {
  let text = ''
  for (let place = 0; place < length; place += 3) {
    let rest = 0
    for (let index = 0; index < words.length; index += 1) {
      const value = rest * 2 ** 32 + (words[index] ?? 0)
      const quotient = Math.floor(value / base ** 3)
      words[index] = quotient
      rest = value - quotient * base ** 3
    }
    const [first, second, third] = [Math.floor(rest / base ** 2), Math.floor(rest / base) % base, rest % base]
    text = digits.charAt(first) + digits.charAt(second) + digits.charAt(third) + text
  }
  return text
}

/** The prefix of an ID, or undefined for text that no ID can be. */
export function prefixOf(id: string): Prefix | undefined {
  return shape.exec(id)?.[1] as Prefix | undefined
}
