import type { DocumentNode, SelectionSetNode } from 'graphql'
import { AppError } from '../errors.ts'

/** What a request may be and ask for at most. docs/api.md says what each is for. */
export const limits = {
  tokens: 10_000,
  /** Of brackets of any kind; the parser would overflow the stack at some thousands. */
  nesting: 100,
  /** Of fields; the standard introspection query has 15 levels. */
  depth: 20,
  aliases: 100,
  selections: 2000,
  /** Where they are spread: to validate compares each with all others beside it. */
  fragments: 100,
  /** Of selections with others of their name, by graphql-js while it validates. */
  comparisons: 500_000,
  rootFields: 50,
  /** With fragments written out. */
  fields: 2000,
  nodes: 200_000,
  values: 2_000_000,
} as const

/** Refuses more than a limit. `what` says what has so many: `The document has 9 aliases`. Throws `limit_exceeded`. */
export function keepWithin(name: keyof typeof limits, actual: number, what: string): void {
  const max = limits[name]
  if (actual <= max) return
  throw new AppError('limit_exceeded', `${what}; ${max} are the limit. Ask for less at a time.`, {
    limit: { name, max, actual },
  })
}

/** Refuses a source before it is parsed. What is in strings and comments is no bracket. Throws `limit_exceeded`. */
export function limitSource(source: string): void {
  let depth = 0
  for (let at = 0; at < source.length; at += 1) {
    switch (source[at]) {
      case '"':
        at = endOfString(source, at)
        break
      case '#':
        at = indexOr(source.length, source.indexOf('\n', at))
        break
      case '(':
      case '[':
      case '{':
        depth += 1
        keepWithin('nesting', depth, `The document has brackets in brackets, ${depth} levels deep`)
        break
      case ')':
      case ']':
      case '}':
        depth -= 1
    }
  }
}

/** Where the last character of a string is that begins here, or of the source where it does not end. */
function endOfString(source: string, start: number): number {
  if (!source.startsWith('"""', start)) return endOfLineString(source, start)
  let end = source.indexOf('"""', start + 3)
  while (end > 0 && source[end - 1] === '\\') end = source.indexOf('"""', end + 3)
  return end < 0 ? source.length : end + 2
}

function endOfLineString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '"' || source[at] === '\n' || source[at] === '\r') return at
  }
  return source.length
}

function indexOr(fallback: number, index: number): number {
  return index < 0 ? fallback : index
}

/** Refuses a document before it is validated. Throws `limit_exceeded`. */
export function limitDocument({ definitions }: DocumentNode): void {
  let [selections, aliases, fragments] = [0, 0, 0]
  const count = (set: SelectionSetNode | undefined) => {
    for (const selection of set?.selections ?? []) {
      selections += 1
      if (selection.kind === 'Field' && selection.alias) aliases += 1
      if (selection.kind === 'FragmentSpread') fragments += 1
      else count(selection.selectionSet)
    }
  }
  for (const definition of definitions) if ('selectionSet' in definition) count(definition.selectionSet)
  keepWithin('aliases', aliases, `The document has ${aliases} aliases`)
  keepWithin('fragments', fragments, `The document spreads fragments ${fragments} times`)
  keepWithin('selections', selections, `The document has ${selections} selections`)
}
