import { z } from 'zod'
import { invalidInput } from './errors.ts'

/** Parses a verb's input. Throws `invalid_input` with every problem at once. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalidInput(
    result.error.issues.map((issue) => ({ field: issue.path.join('.') || 'input', message: issue.message })),
  )
}

/**
 * Text of at most `max` characters (Unicode code points). NUL, which PostgreSQL cannot hold, is refused; half of a
 * surrogate pair, which a sender leaves who cuts text by length, becomes U+FFFD; a byte order mark before it, which
 * comes with files and which the embedded database drops, is taken away.
 */
export function text(max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
    .refine((value) => isAtMost(max, value), `must have at most ${max} characters`)
    .transform((value) => value.toWellFormed().replace(/^\ufeff+/, ''))
}

/** The same, with something to see in it. */
export function visibleText(max: number) {
  return text(max).refine((value) => /[^\p{Cc}\p{Cf}\p{Z}\s]/u.test(value), 'must not be blank')
}

/** The name of something, to show. */
export const name = visibleText(100).transform((value) => value.trim())

/** A longer explanation of something. */
export const description = text(1000)

/** An ID, which is opaque: whether there is such a thing is for the look-up to say. */
export const id = text(255).refine((value) => value !== '', 'must not be empty')

/** A moment. What PostgreSQL can hold goes further than what a cursor or anyone's clock does. */
export const time = z.coerce.date('must be a time').transform((date) => {
  const [first, last] = [Date.UTC(1000, 0), Date.UTC(9999, 0)]
  return new Date(Math.min(Math.max(date.getTime(), first), last))
})

function isAtMost(max: number, value: string): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}
