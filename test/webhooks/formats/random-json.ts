export type Random = () => number

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

/** Returns a body in which any JSON, which is often one of `texts`, is in the place of some values. */
export function changedAtRandom(random: Random, value: unknown, texts: readonly string[]): unknown {
  const changed = (part: unknown) =>
    random() < 1 / 25
      ? randomJSON(random, { names: ['id', 'name', 'body'], texts }, 2)
      : changedAtRandom(random, part, texts)
  if (Array.isArray(value)) return value.map(changed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, changed(field)]))
}
