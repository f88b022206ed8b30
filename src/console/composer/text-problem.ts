import { limits } from '../session/limits.ts'

/** Returns the problem if a text is too long for a message, or null. The service counts code points. */
export function textProblem(text: string): string | null {
  const { textCharacters } = limits
  if (text.length <= textCharacters || [...text].length <= textCharacters) return null
  return `The text is too long. A message can have at most ${textCharacters.toLocaleString()} characters.`
}
