import { z } from 'zod'
import { type Limits, perLimits } from '../config.ts'
import { id, text, visibleText } from '../input.ts'

/** The input of a new message, for GraphQL and webhooks. */
export const messageInput = perLimits((limits: Limits) =>
  z.object({
    text: visibleText(limits.textCharacters),
    /** Duplicates count once. A very long list is refused before its entries are checked. */
    attachments: z
      .array(z.unknown(), 'must be a list of file IDs')
      .max(10 * limits.attachments, `must have at most ${limits.attachments} files`)
      .pipe(z.array(id))
      .refine(
        (ids) => new Set(ids).size <= limits.attachments,
        `must have at most ${limits.attachments} files`,
      )
      .nullish(),
    uniqueBy: key(limits).nullish(),
  }),
)

export const threadFields = perLimits((limits: Limits) => ({
  subject: visibleText(limits.subjectCharacters),
  threadBy: key(limits),
}))

function key(limits: Limits) {
  return text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty')
}
