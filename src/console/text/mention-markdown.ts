/** Finds the mentions in a Markdown text: their label, which can have escaped characters, and their ID. */
export const mentionPattern = /\[((?:\\.|[^\\[\]])*)\]\(skein:((?:usr|grp|wks)_[0-9A-Za-z]{27})\)/g

/** Returns the Markdown of a mention. */
export function mentionMarkdown({ id, name }: { id: string; name: string }): string {
  return `[${name.replace(/[\\[\]*_~`]/g, '\\$&')}](skein:${id})`
}
