import { isBlank } from '../../text/blank.ts'
import { withoutNUL } from './json-values.ts'
import { oneLine } from './markdown.ts'
import { shorten } from './shorten.ts'

const maxCharacters = 100

/** Returns a name that `sendMessage` accepts as `senderName`, or undefined if the name shows nothing. */
export function senderNameOf(name: string): string | undefined {
  const clean = withoutNUL(name)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
  const shown = shorten(oneLine(clean), maxCharacters)
  return isBlank(shown) ? undefined : shown
}
