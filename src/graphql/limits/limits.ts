import type { DocumentNode, SelectionSetNode } from 'graphql'
import { AppError } from '../../errors.ts'

/** The limits of one request. docs/limits.md explains each. */
export const limits = {
  tokens: 10_000,
  /** The nesting of brackets of any kind. The parser would overflow the stack at a few thousand. */
  nesting: 100,
  /** The nesting of fields. The standard introspection query has 15 levels. */
  depth: 20,
  aliases: 100,
  selections: 2000,
  /** Fragment spreads. Validation compares each one with all others in its selection set. */
  fragments: 100,
  /** Comparisons of selections with the same name, which graphql-js makes during validation. */
  comparisons: 500_000,
  rootFields: 50,
  /** The number of fields after all fragments are expanded. */
  fields: 2000,
  nodes: 200_000,
  values: 2_000_000,
} as const

/** Throws if `actual` exceeds the limit. `what` begins the message, such as `The document has 9 aliases`. */
export function checkLimit(name: keyof typeof limits, actual: number, what: string): void {
  checkMax({ name, max: limits[name] }, actual, what)
}

export function checkMax(limit: { name: string; max: number }, actual: number, what: string): void {
  if (actual <= limit.max) return
  throw new AppError('limit_exceeded', `${what}. The limit is ${limit.max}. Send a smaller request.`, {
    limit: { ...limit, actual },
  })
}

/** Checks a source before it is parsed. Brackets in strings and comments do not count. */
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
        checkLimit('nesting', depth, `The document nests brackets ${depth} levels deep`)
        break
      case ')':
      case ']':
      case '}':
        depth -= 1
    }
  }
}

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
  checkLimit('aliases', aliases, `The document has ${aliases} aliases`)
  checkLimit('fragments', fragments, `The document spreads fragments ${fragments} times`)
  checkLimit('selections', selections, `The document has ${selections} selections`)
}
