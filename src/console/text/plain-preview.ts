import { mentionPattern } from './mention-markdown.ts'

const [longestSource, longestText] = [2000, 300]

/** Returns the IDs that the beginning of a Markdown text mentions. */
export function previewMentions(markdown: string): string[] {
  return [...markdown.slice(0, longestSource).matchAll(mentionPattern)].flatMap(([, , id]) => id ?? [])
}

/**
 * Returns the beginning of a Markdown text that has not been sent yet, on one line and without markup. A mention is
 * replaced by the name of the user or group, or by its own label if the name is unknown, as in the service's HTML.
 */
export function plainPreview(markdown: string, nameOf: (id: string) => string | undefined): string {
  return markdown
    .slice(0, longestSource)
    .replace(mentionPattern, (_, label: string, id: string) => escaped(nameOf(id)) ?? label)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```\w*/g, '')
    .replace(/^\s*(?:>+|#{1,6}\s)\s*/gm, '')
    .replace(/^\s*[-*+]\s+/gm, '• ')
    .replace(/(?<!\w)(\*\*|__|~~|[*_`])(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/\\([\p{P}\p{S}])/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestText)
}

/** Escapes a name, so that none of its characters act as markup. */
function escaped(name: string | undefined): string | undefined {
  return name && `@${name.replace(/[\p{P}\p{S}]/gu, '\\$&')}`
}
