import { isBlank } from '../../text/blank.ts'
import { textOf, withoutNUL } from './json-values.ts'
import { oneLine } from './markdown.ts'
import { shorten } from './shorten.ts'

const maxCharacters = 100

/** Returns a field of an operation with a name that `sendMessage` accepts, or nothing if the name is blank. */
export function senderNameOf(name: unknown): { senderName?: string } {
  const senderName = shorten(cleanName(textOf(name)), maxCharacters)
  return isBlank(senderName) ? {} : { senderName }
}

function cleanName(name: string): string {
  return oneLine(
    withoutNUL(name)
      .replace(/\p{Bidi_Control}/gu, '')
      .replace(/\p{Cc}/gu, ' '),
  )
}
