import { z } from 'zod'
import { type Limits, perLimits } from '../config.ts'
import { id, text, visibleText } from '../input.ts'

/** The parts of a message and its thread as input, within the limits. */
export const messageFields = perLimits((limits: Limits) => ({
  text: visibleText(limits.textCharacters),
  subject: visibleText(limits.subjectCharacters),
  /** A caller's own key, `uniqueBy` or `threadBy`. */
  key: text(limits.keyCharacters).refine((value) => value !== '', 'must not be empty'),
  /** One given twice counts once; yet a list of very many is refused as it is, and not file by file. */
  attachments: z
    .array(z.unknown(), 'must be a list of file IDs')
    .max(10 * limits.attachments, `must have at most ${limits.attachments} files`)
    .pipe(z.array(id))
    .refine(
      (ids) => new Set(ids).size <= limits.attachments,
      `must have at most ${limits.attachments} files`,
    ),
}))
