import { escapeHTML } from '../../text/markdown/escape.ts'

/** HTML that is safe to send. */
export type HTML = { readonly html: string }

type Part = HTML | string | number | false | null | undefined

/** Builds HTML. Escapes texts, leaves out false and absent parts, and joins lists. */
export function html(strings: TemplateStringsArray, ...parts: (Part | readonly Part[])[]): HTML {
  const texts = parts.map((part) => (Array.isArray(part) ? part.map(textOf).join('') : textOf(part as Part)))
  return { html: String.raw({ raw: strings }, ...texts) }
}

function textOf(part: Part): string {
  if (part === false || part == null) return ''
  return typeof part === 'object' ? part.html : escapeHTML(String(part))
}
