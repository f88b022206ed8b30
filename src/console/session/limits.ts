type Limits = { textCharacters: number; subjectCharacters: number; attachments: number; fileBytes: number }

const written = document.querySelector<HTMLMetaElement>('meta[name=limits]')?.content

/** The limits that the operator has set. The service writes them into the page. */
export const limits: Limits = {
  textCharacters: Number.POSITIVE_INFINITY,
  subjectCharacters: Number.POSITIVE_INFINITY,
  attachments: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
  ...JSON.parse(written ?? '{}'),
}

/** Returns the problem if a text is too long for a message, or null. The service counts code points. */
export function textProblem(text: string): string | null {
  const { textCharacters } = limits
  if (text.length <= textCharacters || [...text].length <= textCharacters) return null
  return `The text is too long. A message can have at most ${textCharacters.toLocaleString()} characters.`
}
