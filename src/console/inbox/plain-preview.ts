const longest = 300

/** Returns the beginning of a Markdown text on one line, without its markup. A mention becomes the name. */
export function plainPreview(markdown: string): string {
  return markdown
    .slice(0, longest)
    .replace(/\[@?([^\]]*)\]\(skein:\w+\)/g, '@$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```\w*/g, '')
    .replace(/^\s*(?:>+|#{1,6}\s|[-*+]\s)\s*/gm, '')
    .replace(/(?<!\w)(\*\*|__|~~|[*_`])(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/\\([^\w\s])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
