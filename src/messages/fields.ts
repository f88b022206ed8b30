import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import { id, name, nonBlankMarkdown, nonBlankText, text } from '../input.ts'
import { version } from './version.ts'

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
    threadState: state.nullish(),
    senderName: name.nullish(),
    allowMentions: z.boolean('must be true or false').nullish(),
    plain: z.boolean('must be true or false').nullish(),
  }),
)

export const threadFields = cachedPerLimits((limits: Limits) => ({
  subject: nonBlankText(limits.subjectCharacters),
  threadBy: upsertKey(limits),
}))

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

function upsertKey(limits: Limits) {
  return text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty')
}
