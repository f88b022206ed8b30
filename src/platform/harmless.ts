/** The same text, with an escape such as \u001b for each character that is not shown but acts on a terminal. */
export function harmless(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same for text whose lines are our own. */
export function harmlessLines(text: string): string {
  return text.split('\n').map(harmless).join('\n')
}
