/** Replaces each invisible character that acts on a terminal with an escape such as \u001b. */
export function escapeControlCharacters(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function escapeControlCharactersInLines(text: string): string {
  return text.split('\n').map(escapeControlCharacters).join('\n')
}
