const width = 110

/** `space` says whether a space precedes it. The parts of a group are in parentheses. */
type Part = { space: boolean } & ({ word: string } | { group: Part[] })

/**
 * Formats a statement. The result does not depend on the white space of the original. Each clause begins a line, and
 * parentheses that do not fit into a line are indented.
 */
export function formatSQL(sql: string): string {
  return linesOf(parse(sql), 0).join('\n')
}

function parse(sql: string): Part[] {
  const stack: Part[][] = [[]]
  for (const { 0: word, index } of sql.matchAll(/[(),]|(?:'[^']*'|"[^"]*"|[^\s'"(),])+/g)) {
    const parts = stack.at(-1) ?? []
    const previous = parts.at(-1)
    const isAfterComma = previous !== undefined && 'word' in previous && previous.word === ','
    const isSpaced = /\s/.test(sql[index - 1] ?? '') || isAfterComma
    const space = previous !== undefined && word !== ',' && isSpaced
    if (word === ')') stack.pop()
    else if (word !== '(') parts.push({ word, space })
    else {
      const group: Part[] = []
      parts.push({ group, space })
      stack.push(group)
    }
  }
  return stack[0] ?? []
}

function linesOf(parts: Part[], indent: number): string[] {
  return clausesOf(parts).flatMap((clause) => {
    if (fits(clause, indent)) return [line(indent, flat(clause).trimStart())]
    return conditionsOf(clause).flatMap((each, index) => filled(each, index === 0 ? indent : indent + 2))
  })
}

/** Fills lines with the parts of a clause. Breaks a line after a comma, if possible. */
function filled(parts: Part[], indent: number): string[] {
  const lines = [line(indent, '')]
  const last = () => lines.at(-1) ?? ''
  const add = (text: string) => {
    lines[lines.length - 1] += last().trim() === '' ? text.trimStart() : text
  }
  const addWhole = (piece: Part[], isWrapped: boolean) => {
    if (last().length + flat(piece).length > width) {
      if (!isWrapped || !fits(piece, indent + 2)) return false
      lines.push(line(indent + 2, ''))
    }
    add(flat(piece))
    return true
  }
  for (const item of split(parts, (_part, previous) => isWord(previous, ','))) {
    if (addWhole(item, !item.some(isStatement))) continue
    for (const words of split(item, ({ space }) => space)) {
      if (addWhole(words, !words.some(isStatement))) continue
      for (const part of words) {
        const space = part.space ? ' ' : ''
        if ('word' in part) add(space + part.word)
        else if (!addWhole([part], false)) {
          add(`${space}(`)
          lines.push(...linesOf(part.group, indent + 2), line(indent, ')'))
        }
      }
    }
  }
  return lines
}

const clauseWords = [
  'WITH',
  'SELECT',
  'FROM',
  'LEFT',
  'CROSS',
  'JOIN',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'OFFSET',
]
const otherClauseWords = ['UNION', 'VALUES', 'SET', 'RETURNING', 'INSERT', 'UPDATE', 'DELETE', 'FOR']
/** Words after which these words do not begin a clause, as in IS DISTINCT FROM and DO UPDATE. */
const noClauseAfter = ['DISTINCT', 'DELETE', 'LEFT', 'CROSS', 'DO', 'FOR', 'KEY', 'NO']

function clausesOf(parts: Part[]): Part[][] {
  return split(parts, (part, previous, next) => {
    if (isWord(part, 'ON')) return isWord(next, 'CONFLICT')
    if (isWord(part, 'WITH')) return !isWord(next, 'ORDINALITY')
    return isWord(part, ...clauseWords, ...otherClauseWords) && !isWord(previous, ...noClauseAfter)
  })
}

/** Splits a clause before each AND and OR that is not in a CASE. */
function conditionsOf(clause: Part[]): Part[][] {
  let cases = 0
  return split(clause, (part, previous) => {
    if (isWord(part, 'CASE')) cases += 1
    if (isWord(part, 'END')) cases -= 1
    return cases === 0 && isWord(part, 'AND', 'OR') && !isWord(previous, 'BETWEEN')
  })
}

/** Splits before each part that the function selects. */
function split(
  parts: Part[],
  isFirst: (part: Part, previous: Part | undefined, next: Part | undefined) => boolean,
): Part[][] {
  const pieces: Part[][] = []
  parts.forEach((part, index) => {
    const piece = pieces.at(-1)
    const begins = isFirst(part, parts[index - 1], parts[index + 1])
    if (piece && !begins) piece.push(part)
    else pieces.push([part])
  })
  return pieces
}

function flat(parts: Part[]): string {
  return parts
    .map((part) => (part.space ? ' ' : '') + ('word' in part ? part.word : `(${flat(part.group)})`))
    .join('')
}

function fits(parts: Part[], indent: number): boolean {
  return indent + flat(parts).length <= width
}

function line(indent: number, text: string): string {
  return ' '.repeat(indent) + text
}

function isWord(part: Part | undefined, ...words: string[]): boolean {
  return part !== undefined && 'word' in part && words.includes(part.word)
}

function isStatement(part: Part): boolean {
  return 'group' in part && isWord(part.group[0], 'SELECT', 'INSERT', 'UPDATE', 'DELETE')
}
