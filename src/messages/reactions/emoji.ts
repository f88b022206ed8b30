import { text } from '../../input.ts'

// The emoji that Unicode recommends for interchange (UTS 51, RGI). Keyboards offer these emoji.
// biome-ignore lint/complexity/useRegexLiterals: as a literal, it needs a newer target of TypeScript
const recommended = new RegExp('^\\p{RGI_Emoji}$', 'v')
const variationSelectors = /\ufe0f/g
/** The characters that are shown as text unless the variation selector or a skin tone follows. */
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu

/** Normalizes variation selectors. Some keyboards omit required ones, and some add unnecessary ones. */
export const emoji = text(32)
  .transform((emoji) => emoji.replace(variationSelectors, '').replace(textByDefault, '$&\ufe0f'))
  .refine((emoji) => recommended.test(emoji), 'must be one emoji, such as 👍')
