import { text } from '../../input.ts'

// The emoji that Unicode recommends for interchange (UTS 51, RGI), which keyboards offer.
// biome-ignore lint/complexity/useRegexLiterals: as a literal it needs a later target of TypeScript
const recommended = new RegExp('^\\p{RGI_Emoji}$', 'v')
const variationSelector = '\ufe0f'

/** Adds the variation selector for colour if it is missing, because some keyboards omit it. */
export const emoji = text(32)
  .transform((emoji) => (recommended.test(emoji) ? emoji : emoji + variationSelector))
  .refine((emoji) => recommended.test(emoji), 'must be one emoji, such as 👍')
