import { z } from 'zod'
import { cachedPerLimits, type Limits } from '../config.ts'
import { id, nonBlankMarkdown, nonBlankText, text } from '../input.ts'

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
  }),
)

export const threadFields = cachedPerLimits((limits: Limits) => ({
  subject: nonBlankText(limits.subjectCharacters),
  threadBy: upsertKey(limits),
}))

function upsertKey(limits: Limits) {
  return text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty')
}
