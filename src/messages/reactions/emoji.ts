import { text } from '../../input.ts'

/** The emoji that Unicode recommends for interchange (UTS 51, RGI): those that keyboards offer, as they are to be written. */
// biome-ignore lint/complexity/useRegexLiterals: as a literal it needs a later target of TypeScript
const recommended = new RegExp('^\\p{RGI_Emoji}$', 'v')
const variationSelector = '\ufe0f'

/** One emoji. Where the sender left out that it is to be shown in colour, as some keyboards do, it is put in. */
export const emoji = text(32)
  .transform((given) => (recommended.test(given) ? given : given + variationSelector))
  .refine((given) => recommended.test(given), 'must be one emoji, such as 👍')
