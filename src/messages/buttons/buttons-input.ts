import { z } from 'zod'
import { inOneLine, nonBlankText } from '../../input.ts'
import { refuseWebURL } from '../../platform/web-url.ts'

const maxButtons = 5
const maxURLCharacters = 2000

/** The characters allow that a database key joins the ID with spaces. */
const buttonID = z
  .string('must be a string')
  .regex(/^[\w.:-]{1,64}$/, 'must have 1 to 64 letters, digits, or any of . _ : -')

const button = z
  .object({
    id: buttonID.nullish(),
    label: inOneLine(nonBlankText(40)).transform((label) => label.trim()),
    style: z.enum(['default', 'primary', 'danger'], 'must be one of default, primary, danger').nullish(),
    confirm: inOneLine(nonBlankText(300)).nullish(),
    url: z
      .string('must be a string')
      .max(maxURLCharacters, `must have at most ${maxURLCharacters} characters`)
      .superRefine(refuseWebURL)
      .nullish(),
  })
  .refine(({ id, url }) => id != null || url != null, { path: ['id'], error: 'is required without a url' })
  .transform(({ id, label, style, confirm, url }) => ({
    ...(id != null && { id }),
    label,
    style: style ?? 'default',
    ...(confirm != null && { confirm }),
    ...(url != null && { url }),
  }))

/** A button as it is stored. Without a `url` it has an `id`. */
export type Button = z.output<typeof button>

export const buttonsInput = z
  .array(button, 'must be a list of buttons')
  .max(maxButtons, `must have at most ${maxButtons} buttons`)
  .refine((buttons) => {
    const ids = buttons.flatMap(({ id }) => id ?? [])
    return new Set(ids).size === ids.length
  }, 'must have a different id for each button')
