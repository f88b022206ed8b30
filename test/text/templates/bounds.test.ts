import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Budget, OutOfTime } from '../../../src/text/templates/budget.ts'
import { checkTemplate, renderTemplate } from '../../../src/text/templates/render-template.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { pick, randomJSON } from '../../webhooks/formats/random-json.ts'
import { problemOf, render } from './render.ts'

const long = 'y'.repeat(200_000)
// The clock stands still, because the machine can be slower than the last stop.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/** About as large as the largest body. */
const body = JSON.parse(
  JSON.stringify({
    name: 'Ada',
    long,
    chunk: 'z'.repeat(10_000),
    items: Array.from({ length: 30_000 }, (_, id) => ({ id, name: `item ${id}` })),
    fields: Object.fromEntries(Array.from({ length: 150_000 }, (_, id) => [`field ${id}`, id])),
    numbers: Array(300_000).fill(1),
  }),
)
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)

const turns = 'the loops of a call have more than 10,000 turns'
const source = 'the loops of a call run through more than 500,000 characters of templates'
const values = 'the templates of a call read more than 500,000 characters of values'
const tooDeep = 'it is nested too deeply'

const endsOfRaw = `${'{% if name %}{% raw %}{% endraw %}'.repeat(21)}${'{% endif %}'.repeat(21)}`
const endsInComment = `${'{% if name %}'.repeat(20)}{% comment %}${'{% endif %}'.repeat(20)}{% endcomment %}${'{% if name %}'.repeat(5)}${'{% endif %}'.repeat(25)}`

/** Renders and returns the problem, and fails if that took long. */
function stopOf(template: string, value: unknown = body): string {
  const start = process.cpuUsage()
  const { reason } = problemOf(template, value)
  const { user, system } = process.cpuUsage(start)
  // Each takes at most 200 ms alone. Without its bound, most take many seconds.
  expect((user + system) / 1000).toBeLessThan(4000)
  return reason
}

describe('a template stops soon if', () => {
  test.each([
    ['nested loops', '{% for x in items %}{% for y in items %}{% endfor %}{% endfor %}', turns],
    ['a long loop', '{% for x in numbers %}{{ x }}{% endfor %}', turns],
    ['a loop after another', '{% for x in items limit: 9000 %}{% endfor %}'.repeat(2), turns],
    [
      'a loop with much inside',
      `{% for x in items limit: 9000 %}${'{% if x.id == name or name %}{{ name }}{% endif %}'.repeat(100)}{% endfor %}`,
      source,
    ],
    [
      'a loop with many comparisons',
      `{% for x in items limit: 9000 %}{% case name %}{% when ${'1,'.repeat(3000)}2 %}{% endcase %}{% endfor %}`,
      source,
    ],
    [
      'a loop over the fields of an object',
      '{% for x in items limit: 1000 %}{% for y in fields limit: 1 %}{% endfor %}{% endfor %}',
      values,
    ],
    ['fields that are counted again and again', '{% if fields.size > 1 %}{% endif %}'.repeat(200), values],
    ['fields that are compared again and again', '{% if fields == empty %}{% endif %}'.repeat(200), values],
    [
      'case compares them again and again',
      `{% case fields %}{% when ${'empty, '.repeat(900)}1 %}{% endcase %}`,
      values,
    ],
    ['long values that are written again and again', '{{ long }}'.repeat(100), values],
    ['long lists that are written again and again', '{{ items }}'.repeat(500), values],
    ['long lists as JSON', '{{ items | json }}'.repeat(400), values],
    ['many filters', `{{ items ${'| join '.repeat(40)}}}`, values],
    ['filters that split and join', `{{ long ${'| split: "" | join: "" '.repeat(40)}}}`, values],
    ['a text that doubles', `{% assign s = name %}${'{% assign s = s | append: s %}'.repeat(200)}`, values],
    [
      'a capture that doubles',
      `{% capture s %}${'x'.repeat(99)}{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(100)}`,
      values,
    ],
    ['a replacement that grows', '{% assign s = long | replace: "y", chunk %}', values],
    ['numbers as JSON', '{{ numbers | json | size }}'.repeat(400), values],
    ['a long separator', `{{ numbers | join: "${'x'.repeat(5000)}" }}`, values],
    ['a list in which much is searched', '{% if numbers contains 2 %}{% endif %}'.repeat(200), values],
    ['a text in which much is searched', '{% if long contains "z" %}{% endif %}'.repeat(200), values],
    ['equal texts that are compared', '{% if long == long %}{% endif %}'.repeat(200), values],
    ['long texts that are compared', '{% if long <= long %}{% endif %}'.repeat(200), values],
    ['blanks that are looked for', '{{ long | default: 1 | size }}'.repeat(200), values],
    ['parts of lists', '{{ numbers | slice: 0, 300000 | size }}'.repeat(200), values],
    [
      'a long text that is searched',
      '{% if chunk contains chunk %}{% endif %}',
      'a text to search for has more than 100 characters',
    ],
    ['blocks that are nested', `${'{% if name %}'.repeat(30)}${'{% endif %}'.repeat(30)}`, tooDeep],
    ['blocks after the ends of others in a comment', endsInComment, tooDeep],
    ['blocks after many ends of raw', endsOfRaw, tooDeep],
    ['names that are nested', `{{ ${'body['.repeat(20_000)}name${']'.repeat(20_000)} }}`, tooDeep],
  ])('it has %s', (_what, template, reason) => {
    expect(stopOf(template)).toBe(reason)
  })

  test('its values are nested deeply', () => {
    expect(render('{{ body }}', deep)).toBe('[[[[[[[[[["…"]]]]]]]]]]')
    expect(render('{{ body | json | size }}{% if body == body %}{% endif %}', deep)).not.toBe('')
  })
})

describe.each([
  '{{ t | replace: p, "" | size }}',
  '{{ t | split: p | size }}',
  '{% if t contains p %}{% endif %}',
])('the search of %s', (template) => {
  const valuesOf = (textLength: number, patternLength: number) => ({
    t: 'a'.repeat(textLength),
    p: `${'a'.repeat(patternLength / 10)}b${'a'.repeat(patternLength - patternLength / 10 - 1)}`,
  })

  // A search for the longer text takes up to two seconds.
  test('stops if one of its texts is too long', () => {
    expect(stopOf(template, valuesOf(499_000, 1000))).toBe(
      'a text to search for has more than 100 characters',
    )
    expect(stopOf(template, valuesOf(1_900_000, 100))).toBe(values)
  })

  test('takes a short time if it is allowed', () => {
    const start = process.cpuUsage()
    render(template, valuesOf(499_000, 100))
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(1000)
  })
})

test.each(['comment', 'raw'])('the depth of blocks does not count what is inside of %s', (name) => {
  const inside = '{% if %}'.repeat(30)
  expect(render(`{% ${name} %}${inside}{% end${name} %}`)).toBe(name === 'raw' ? inside : '')
})

test('an ordinary template is far from every bound', () => {
  const alerts = Array.from({ length: 200 }, (_, id) => ({
    id,
    summary: `Disk ${id} is full`,
    labels: { host: 'a' },
  }))
  const template =
    '{% for a in alerts %}- {{ a.id }}: {{ a.summary | upcase | truncate: 40 }} on {{ a.labels.host | default: "?" }}\n{% endfor %}'
  for (let times = 0; times < 5; times += 1)
    expect(render(template.repeat(5), { alerts })).toContain('- 199: DISK 199')
})

test('all templates of a call have one budget', () => {
  const budget = new Budget()
  const markup = { value: String, code: String, link: String }
  const loop = '{% for x in items limit: 6000 %}{% endfor %}'
  renderTemplate(loop, { body, budget, markup })
  expect(() => renderTemplate(loop, { body, budget, markup })).toThrow(turns)
})

test('a second is the last stop', () => {
  const budget = new Budget()
  const markup = { value: String, code: String, link: String }
  const renderAt = (time: number) => {
    vi.spyOn(performance, 'now').mockReturnValue(time)
    return renderTemplate('{{ name }}', { body, budget, markup })
  }
  expect(renderAt(1000)).toBe('Ada')
  expect(() => renderAt(1001)).toThrow(OutOfTime)
})

test('any template is parsed and rendered, or has a problem that names its line', () => {
  const pieces = [
    ...[
      '{{ ',
      ' }}',
      '{% ',
      ' %}',
      '{%- ',
      ' -%}',
      '|',
      ': ',
      ', ',
      '"',
      "'",
      '\\',
      '.',
      '..',
      '[',
      ']',
      '(',
      ')',
    ],
    ...[
      'if ',
      'for x in ',
      'endif',
      'endfor',
      'case ',
      'when ',
      'endcase',
      'else',
      'elsif ',
      'raw',
      'endraw',
      'break',
    ],
    ...[
      'assign y = ',
      'capture z',
      'endcapture',
      'comment',
      'endcomment',
      '#',
      'contains ',
      ' == ',
      ' and ',
      'or',
    ],
    ...[
      'append',
      'date',
      'join',
      'slice',
      'size',
      'json',
      'code',
      'link',
      'raw',
      'first',
      'split',
      'replace',
      'round',
    ],
    ...[
      'a',
      'b',
      'body',
      'empty',
      'nil',
      '1',
      '-7',
      '1.5',
      'true',
      '\n',
      ' ',
      '😀',
      '\ud800',
      '\0',
      'limit: 1',
      'forloop',
    ],
  ] as unknown as [string, ...string[]]
  const outcomes = { rendered: 0, problems: 0 }
  for (let seed = 1; seed <= 4000; seed += 1) {
    const random = randomNumbers(seed)
    const inside = () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, pieces)).join('')
    const parts = Array.from({ length: 4 }, () =>
      pick(random, [
        inside(),
        `{{ ${inside()} }}`,
        `{% ${inside()} %}`,
        `{% if ${inside()} %}${inside()}{% endif %}`,
      ]),
    )
    const value = randomJSON(random, { names: ['a', 'b', 'size', 'first'], texts: ['2026-01-01T00:00:00Z'] })
    try {
      expect(typeof render(parts.join(''), value)).toBe('string')
      outcomes.rendered += 1
    } catch (error) {
      expect({ seed, error }).toEqual({
        seed,
        error: expect.objectContaining({ reason: expect.stringMatching(/./), line: expect.any(Number) }),
      })
      outcomes.problems += 1
    }
  }
  expect(Math.min(outcomes.rendered, outcomes.problems)).toBeGreaterThan(200)
})

test('the parser takes time in proportion to a template', () => {
  const start = process.cpuUsage()
  for (const part of [
    '{{ a }}',
    '{% if a %}{% endif %}',
    '{% raw %}{% ',
    '{{ a',
    '{% # ',
    'a[',
    '{{ "',
    '{% case a %}{% when ',
    '{%{{',
  ])
    try {
      checkTemplate(part.repeat(8000 / part.length))
    } catch {}
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(3000)
})
