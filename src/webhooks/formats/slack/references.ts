import { escapeInline, linkTo } from '../markdown.ts'

/** Writes `<!here>` and its like: a mention of the target group, or text if the target is a thread. */
export type Mention = (name: string) => string

/** Writes `<!here>` and its like as text. */
export const asText: Mention = (name) => `@${name}`

/** Decodes the three entities of Slack. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => ({ amp: '&', lt: '<' })[name] ?? '>')
}

export function isBroadcast(name: string): boolean {
  return ['here', 'channel', 'everyone'].includes(name)
}

type Reference = { sigil: string; target: string; label: string }

// Slack refers to people, channels, groups and URLs in angle brackets. Other text in brackets stays as it is.
function readReference(inside: string): Reference | undefined {
  const [, sigil = '', target = '', label = ''] = /^([@#!]?)([^|]*)\|?(.*)$/su.exec(inside) ?? []
  if (!target || (!sigil && !/^[a-z][a-z0-9+.-]*:/i.test(target))) return undefined
  return { sigil, target: decodeEntities(target), label: decodeEntities(label) }
}

/** Returns a reference as Markdown, or undefined if the text in the angle brackets is none. */
export function referenceMarkdown(inside: string, mention: Mention): string | undefined {
  const reference = readReference(inside)
  if (!reference) return undefined
  const { sigil, target, label } = reference
  if (sigil === '!' && isBroadcast(target)) return mention(target)
  const url = sigil ? dateURL(reference) : target
  if (url) return linkTo(label, url)
  return escapeInline(referenceName(reference))
}

/** Returns a reference as plain text, as in code. */
export function referenceText(inside: string): string | undefined {
  const reference = readReference(inside)
  return reference && referenceName(reference)
}

function referenceName({ sigil, target, label }: Reference): string {
  if (!sigil || target.startsWith('date^')) return label || target
  return (sigil === '#' ? '#' : '@') + (label || target.replace(/^subteam\^/, '')).replace(/^[@#]/, '')
}

// A date is <!date^seconds^format^url|text>. The text is what clients without dates show.
function dateURL({ target }: Reference): string | undefined {
  return target.startsWith('date^') ? target.split('^')[3] : undefined
}
