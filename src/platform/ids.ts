import { randomFillSync } from 'node:crypto'

const prefixes = ['wks', 'usr', 'grp', 'thr', 'msg', 'fil', 'app', 'wbh', 'upl'] as const
export type Prefix = (typeof prefixes)[number]

const shape = new RegExp(`^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = digits.length
const length = 27
/** The moment from which KSUIDs count their seconds: 2014-05-13T16:53:20Z. */
const epochSeconds = 1_400_000_000
const randomWords = 3
/** A word holds a second's milliseconds, with more for each than there can be IDs made in it. */
const perMillisecond = 2 ** 22

// The system's random source is asked for many IDs at once: one question costs more than making the ID.
const random = new Uint32Array(256 * randomWords)
let unused = random.length
let last = { millisecond: 0, count: 0 }

/**
 * Makes an ID: the prefix and a KSUID, which is 32 bits of seconds and 128 others, in 27 base-62 characters
 * (https://github.com/segmentio/ksuid). Of the others 32 are the millisecond and a count within it, so that the IDs
 * of a process are in the order in which it made them, and with them the rows of one millisecond in a list; 96 are
 * random. Each message has one, so it is made here: the package for it took as long as the whole parsing of a request.
 */
export function newID(prefix: Prefix): string {
  if (unused === random.length) {
    randomFillSync(random)
    unused = 0
  }
  const now = Date.now()
  last = { millisecond: now, count: now === last.millisecond ? last.count + 1 : 0 }
  const number = [
    Math.floor(now / 1000) - epochSeconds,
    (now % 1000) * perMillisecond + last.count,
    ...random.subarray(unused, unused + randomWords),
  ]
  unused += randomWords
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
