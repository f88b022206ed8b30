import { z } from 'zod'
import { invalidInput } from './errors.ts'
import { isScope, scopes } from './scopes.ts'
import { isBlank } from './text/blank.ts'
import { isBlankMarkdown } from './text/markdown/plain-text.ts'

/** Parses the input of a verb. The AppError lists every problem. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalidInput(
    result.error.issues.map((issue) => ({ field: issue.path.join('.') || 'input', message: issue.message })),
  )
}

/**
 * Accepts at most `max` code points. Replaces unpaired surrogates, which a text that was cut at a fixed length can
 * contain. Refuses NUL, because PostgreSQL cannot store it. Removes leading byte order marks, because the embedded
 * database drops the first of them.
 */
export function text(max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
    .refine((value) => isAtMost(max, value), `must have at most ${max} characters`)
    .transform((value) => value.toWellFormed().replace(/^\ufeff+/, ''))
}

export function nonBlankText(max: number) {
  return text(max).refine((value) => !isBlank(value), 'must not be blank')
}

export function nonBlankMarkdown(max: number) {
  return text(max).refine((value) => !isBlankMarkdown(value), 'must not be blank')
}

/** Accepts a name. A letter with marks has several encodings that look the same (Unicode UAX 15). A name has one. */
export const name = nonBlankText(100).transform((value) => value.trim().normalize('NFC'))

/** Refuses characters that end a line or change the order of the text around a name. */
export function inOneLine<Schema extends z.ZodType<string>>(schema: Schema): Schema {
  return schema.refine(
    (value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value),
    'must not contain control or bidirectional characters',
  )
}

export const description = text(1000)

/** Accepts the text that a person types to find a name. An empty text finds all names. */
export const nameSearch = text(100).transform((value) => value.trim())

export const id = text(255).refine((value) => value !== '', 'must not be empty')

/** Parses an ID that is an argument of a query. */
export function parseID(value: string, argument = 'id'): string {
  const result = id.safeParse(value)
  if (result.success) return result.data
  throw invalidInput(result.error.issues.map(({ message }) => ({ field: argument, message })))
}

export const scope = z.string().refine(isScope, `must be one of ${scopes.join(', ')}`)

/** Accepts a time, and moves it into the range that a cursor can hold. */
export const time = z.coerce.date('must be a time').transform((date) => {
  const [first, last] = [Date.UTC(1000, 0), Date.UTC(10_000, 0) - 1]
  return new Date(Math.min(Math.max(date.getTime(), first), last))
})

function isAtMost(max: number, value: string): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}
