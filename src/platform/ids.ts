import { createHash, randomFillSync } from 'node:crypto'

const prefixes = [
  'wks',
  'usr',
  'grp',
  'thr',
  'msg',
  'fil',
  'app',
  'wbh',
  'whc',
  'upl',
  'acc',
  'aud',
  'ses',
  'grt',
  'pat',
  'opt',
  'evt',
  'end',
  'dlv',
] as const
export type Prefix = (typeof prefixes)[number]

const idPattern = new RegExp(`^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = digits.length
const length = 27
const epochSeconds = 1_400_000_000
const randomWords = 3
// More IDs than a process can create in a millisecond. Multiplied by 1000, the number fits into a 32-bit word.
const perMillisecond = 2 ** 22

// Fetches random bytes for many IDs at once, because one call costs more than creating an ID.
const random = new Uint32Array(256 * randomWords)
let unused = random.length
let last = { millisecond: 0, count: 0 }

/** Creates an ID with a KSUID (https://github.com/segmentio/ksuid). In a process, IDs ascend with the clock. */
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

/** Returns the time at which an ID was created with `newID`, in seconds and milliseconds. */
export function creationTime(id: string): Date {
  const number = [...id.slice(-length)].reduce(
    (sum, digit) => sum * BigInt(base) + BigInt(digits.indexOf(digit)),
    0n,
  )
  const [seconds, rest] = [number >> 128n, (number >> 96n) & 0xffffffffn]
  return new Date((Number(seconds) + epochSeconds) * 1000 + Math.floor(Number(rest) / perMillisecond))
}

/** Returns an ID that depends only on the text. */
export function derivedID(prefix: Prefix, text: string): string {
  const digest = createHash('sha1').update(text).digest()
  const words = [0, 4, 8, 12, 16].map((offset) => digest.readUInt32BE(offset))
  return `${prefix}_${inBase62(words)}`
}

// Replaces the slower package `ksuid`. Each division by 62³ gives three digits, the last digits first.
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

export function prefixOf(id: string): Prefix | undefined {
  return idPattern.exec(id)?.[1] as Prefix | undefined
}
