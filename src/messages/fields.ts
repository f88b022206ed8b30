import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import { id, inOneLine, name, nonBlankMarkdown, nonBlankText, text } from '../input.ts'
import { buttonsInput } from './buttons/buttons-input.ts'

// PostgreSQL's times have microseconds, and JavaScript's only milliseconds.
const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)$/

/**
 * Accepts the order of a call among the calls for one message: an integer from 0 to 2^53 - 1, as a number or as text, or
 * a time in ISO 8601 with an offset, which counts as microseconds since 1970.
 */
const version = z
  .union([z.number(), z.string()], 'must be an integer or a time')
  .transform((value, context) => {
    const number = numberOf(String(value).trim())
    if (number !== undefined && number >= 0n && number <= Number.MAX_SAFE_INTEGER) return number
    context.addIssue('must be an integer from 0 to 9007199254740991, or a time such as 2026-01-31T12:00:00Z')
    return z.NEVER
  })

function numberOf(text: string): bigint | undefined {
  if (/^\d{1,16}$/.test(text)) return BigInt(text)
  const [, seconds, fraction = '', offset] = isoTime.exec(text) ?? []
  const time = z.iso.datetime({ offset: true }).safeParse(`${seconds}${offset}`)
  if (!time.success) return undefined
  const milliseconds = Date.parse(time.data)
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
}

const state = oneOf(['running', 'failed', 'ok'])

export const messageInput = cachedPerLimits((limits: Limits) =>
  z.object({
    text: nonBlankMarkdown(limits.textCharacters),
    /** Duplicates count once. A very long list is rejected before its entries are checked. */
    attachments: z
      .array(z.unknown(), 'must be a list of file IDs')
      .max(10 * limits.attachments, `must have at most ${limits.attachments} files`)
      .pipe(z.array(id))
      .refine(
        (ids) => new Set(ids).size <= limits.attachments,
        `must have at most ${limits.attachments} files`,
      )
      .nullish(),
    uniqueBy: upsertKey(limits).nullish(),
    version: version.nullish(),
    state: state.nullish(),
    notify: oneOf(['new', 'always', 'never']).nullish(),
    threadClosed: z.union([z.boolean(), z.literal('keep')], 'must be true, false or "keep"').nullish(),
    threadState: oneOf(['running', 'failed', 'ok', 'keep']).nullish(),
    senderName: inOneLine(name).nullish(),
    allowMentions: z.boolean('must be true or false').nullish(),
    plain: z.boolean('must be true or false').nullish(),
    buttons: buttonsInput.nullish(),
  }),
)

export const threadFields = cachedPerLimits((limits: Limits) => ({
  subject: nonBlankText(limits.subjectCharacters),
  threadBy: upsertKey(limits),
}))

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

export function upsertKey(limits: Limits) {
  return text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty')
}
