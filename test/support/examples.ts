export type Example = { language: string; code: string }

/** Returns the code blocks of a page in Markdown. */
export function allExamplesIn(text: string): Example[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** Returns the code blocks in a language. */
export function examplesIn(text: string, language = 'sh'): string[] {
  return allExamplesIn(text)
    .filter((example) => example.language === language)
    .map(({ code }) => code)
}
