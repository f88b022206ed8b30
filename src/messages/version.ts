import { z } from 'zod'

// PostgreSQL's times have microseconds, and JavaScript's only milliseconds.
const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)$/

/**
 * Accepts the order of a call among the calls for one message: an integer from 0 to 2^53 - 1, as a number or as text, or
 * a time in ISO 8601 with an offset, which counts as microseconds since 1970.
 */
export const version = z
  .union([z.int().nonnegative(), z.string()], 'must be an integer or a time')
  .transform((value, context) => {
    const number = typeof value === 'number' ? BigInt(value) : numberOf(value.trim())
    if (number !== undefined && number >= 0n && number <= Number.MAX_SAFE_INTEGER) return number
    context.addIssue('must be an integer from 0 to 9007199254740991, or a time such as 2026-01-31T12:00:00Z')
    return z.NEVER
  })

function numberOf(text: string): bigint | undefined {
  if (/^\d{1,16}$/.test(text)) return BigInt(text)
  const [, seconds, fraction = '', offset] = isoTime.exec(text) ?? []
  const milliseconds = Date.parse(`${seconds}${offset}`)
  if (Number.isNaN(milliseconds)) return undefined
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
}
