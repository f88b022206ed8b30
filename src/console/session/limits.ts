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
