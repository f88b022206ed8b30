import { z } from 'zod'
import { type Limits, perLimits } from '../config.ts'
import { id, text, visibleText } from '../input.ts'

export const messageFields = perLimits((limits: Limits) => ({
  text: visibleText(limits.textCharacters),
  subject: visibleText(limits.subjectCharacters),
  key: text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty'),
  /** Duplicates count once. A very long list is refused before its entries are checked. */
  attachments: z
    .array(z.unknown(), 'must be a list of file IDs')
    .max(10 * limits.attachments, `must have at most ${limits.attachments} files`)
    .pipe(z.array(id))
    .refine(
      (ids) => new Set(ids).size <= limits.attachments,
      `must have at most ${limits.attachments} files`,
    ),
}))
