export type Random = () => number

/** Returns the same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0]
}

// Pieces that mean something to Slack, to Markdown or to a database.
const pieces = [
  ...[
    'a',
    'b c',
    'é',
    '日本',
    'שלום',
    '😀',
    '\ud800',
    '\0',
    '\u202e',
    '\u200b',
    ' ',
    '\t',
    '\n',
    '\n\n',
    '\r',
  ],
  ...[
    '_',
    '__',
    '*',
    '**',
    '~',
    '~~',
    '`',
    '``',
    '```',
    '\\',
    '!',
    '![',
    '[',
    ']',
    '(',
    ')',
    '](',
    '|',
    '#x',
  ],
  ...['<', '>', '&lt;', '&gt;', '&amp;', '>>>', '- ', '• ', '1. ', '> ', '<!here>', '<!channel|x>', '<@U1>'],
  ...['http://a_b.c/d_', '<http://a.b|', '<https://a.b/(c)|d>', '<!date^1^{date}^http://a.b|c>', '"', "'"],
] as const

/** Returns a text. `others` are more pieces that it can contain. */
export function randomText(random: Random, others: readonly string[] = []): string {
  const all: [string, ...string[]] = ['', ...pieces, ...others]
  return Array.from({ length: Math.floor(random() ** 2 * 25) }, () => pick(random, all)).join('')
}

type Shape = { names: readonly [string, ...string[]]; texts: readonly string[] }

/** Returns a JSON value. Its objects have fields with the names of `shape`, and values of any type. */
export function randomJSON(random: Random, shape: Shape, depth = 5): unknown {
  const kind = depth === 0 ? 0 : Math.floor(random() * 10)
  const next = () => randomJSON(random, shape, depth - 1)
  if (kind < 3) return randomText(random, shape.texts)
  if (kind < 5) return pick<unknown>(random, [null, true, false, 0, -1, 1e300, 1.5, ...shape.texts])
  if (kind < 7) return Array.from({ length: Math.floor(random() * 4) }, next)
  return Object.fromEntries(Array.from({ length: 5 }, () => [pick(random, shape.names), next()]))
}
