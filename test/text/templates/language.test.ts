import { describe, expect, it, test } from 'vitest'
import { filterNames } from '../../../src/text/templates/liquid.ts'
import { problemOf, render } from './render.ts'

const body = {
  name: 'Ada',
  count: 5,
  form: '10',
  list: [1, 'two', { deep: [true] }],
  object: { key: 'value', size: 9, toString: 'own' },
  nothing: null,
  off: false,
  huge: 1e308,
  blank: ' \n',
  none: [],
  time: '2026-01-02T03:04:05+01:00',
}

describe('values', () => {
  it.each([
    ['{{ name }} {{ body.name }} {{ object.key }} {{ object["key"] }}', 'Ada Ada value value'],
    ['{{ missing }}{{ nothing }}{{ missing.deeper }}{{ name.first }}|', '|'],
    ['{{ count }} {{ off }} {{ list }} {{ object.missing }}', '5 false [1,"two",{"deep":[true]}] '],
    ['{{ list[1] }} {{ list[-1].deep }} {{ list.first }} {{ list.last.deep.first }}', 'two [true] 1 true'],
    ['{{ list.size }} {{ name.size }} {{ object.size }} {{ none.size }} {{ body.size }}', '3 3 9 0 11'],
    ['{{ object.toString }}', 'own'],
    [
      '{% assign key = "name" %}{{ body[key] }}{% assign name = "own" %} {{ name }} {{ body.name }}',
      'Ada own Ada',
    ],
    ['{% capture both %}{{ name }}{{ count }}{% endcapture %}{{ both }}', 'Ada5'],
    ['{% raw %}{{ name }}{% endraw %}{% comment %}{{ x }}{% if %}{% endcomment %}{% # more %}', '{{ name }}'],
    ['a  \n {{- name -}} \n b', 'aAdab'],
  ])('%s', (source, written) => {
    expect(render(source, body)).toBe(written)
  })

  it.each([[['first', 'second']], ['text'], [7], [null]])('the body can be %j', (value) => {
    expect(render('{{ body }}{{ name }}{{ body[1] }}', value)).toMatch(
      /^(\["first","second"\]second|text|7|)$/,
    )
  })

  it('a field that is named body is a field of the body', () => {
    expect(render('{{ body.body }}', { body: 'inner' })).toBe('inner')
  })
})

describe('conditions', () => {
  it.each([
    ['name == "Ada"', true],
    ['name != "Ada"', false],
    ['count > 4 and count <= 5', true],
    ['form > 9', true],
    ['"b" > "a"', true],
    ['name > 4', false],
    ['missing > 4', false],
    ['count == "5"', false],
    ['not off', true],
    ['nothing or off', false],
    ['nothing == nil', true],
    ['missing == nil', true],
    ['name == nil', false],
    ['blank == blank', true],
    ['none == empty', true],
    ['missing == blank', true],
    ['name == blank', false],
    ['blank != empty', false],
    ['list contains "two"', true],
    ['list contains "tw"', false],
    ['name contains "d"', true],
    ['object contains "key"', true],
    ['object contains "hasOwnProperty"', false],
    ['list == list', false],
    ['count', true],
    ['count contains 5', false],
  ])('%s is %s', (condition, is) => {
    expect(render(`{% if ${condition} %}true{% else %}false{% endif %}`, body)).toBe(String(is))
    expect(render(`{% unless ${condition} %}false{% else %}true{% endunless %}`, body)).toBe(String(is))
  })

  it('case compares as == does', () => {
    const source =
      '{% case name %}{% when "Bob", "Ada" %}known{% when "Ada" %}again{% else %}other{% endcase %}'
    expect([render(source, body), render(source, {})]).toEqual(['known', 'other'])
    expect(render('{% case none %}{% when empty %}empty{% endcase %}', body)).toBe('empty')
  })
})

describe('loops', () => {
  const item = '{{ x }}{% unless forloop.last %},{% endunless %}'
  it.each([
    [`{% for x in list %}${item}{% endfor %}`, '1,two,{"deep":[true]}'],
    [`{% for x in list reversed limit: 2 offset: 1 %}${item}{% endfor %}`, '{"deep":[true]},two'],
    [`{% for x in list limit: count offset: 2 %}${item}{% endfor %}`, '{"deep":[true]}'],
    ['{% for x in none %}{{ x }}{% else %}nothing{% endfor %}', 'nothing'],
    ['{% for x in list offset: 7 %}{{ x }}{% else %}nothing{% endfor %}', 'nothing'],
    ['{% for x in missing %}{{ x }}{% endfor %}{% for x in name %}{{ x }}{% endfor %}', 'Ada'],
    ['{% for pair in object limit: 1 %}{{ pair[0] }}={{ pair[1] }}{% endfor %}', 'key=value'],
    [
      '{% for x in list %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.first }} {% endfor %}',
      '103true 212false 321false ',
    ],
    ['{% for x in list %}{% if x == "two" %}{% break %}{% endif %}{{ x }}{% endfor %}!', '1!'],
    ['{% for x in list limit: 2 %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}!', 'two!'],
    ['{% for x in list %}{% for y in list %}{% break %}{% endfor %}{{ forloop.index }}{% endfor %}', '123'],
    ['{% for x in list %}{% endfor %}{{ x }}{{ forloop }}', ''],
  ])('%s', (source, written) => {
    expect(render(source, body)).toBe(written)
  })
})

describe('filters', () => {
  const cases: Record<string, [source: string, written: string][]> = {
    append: [['name | append: "!" | append: count', 'Ada!5']],
    capitalize: [['"élan Vital" | capitalize', 'Élan Vital']],
    code: [
      ['name | code', 'code(Ada)'],
      ['name | code: "json"', 'codejson(Ada)'],
      ['name | code: "a\nb"', 'code(Ada)'],
    ],
    date: [
      ['time | date', '2026-01-02 02:04 UTC'],
      [
        'time | date: "%A %a %B %b %e %d.%m.%Y %H:%M:%S %% %q"',
        'Friday Fri January Jan 2 02.01.2026 02:04:05 % %q',
      ],
      ['1700000000 | date: "%Y-%m-%d"', '2023-11-14'],
      ['1700000000000 | date: "%Y-%m-%d"', '2023-11-14'],
      ['name | date', 'Ada'],
      ['huge | date', '1e+308'],
    ],
    default: [
      ['missing | default: "x"', 'x'],
      ['blank | default: "x"', 'x'],
      ['off | default: "x"', 'x'],
      ['name | default: "x"', 'Ada'],
    ],
    divided_by: [
      ['7 | divided_by: 2', '3.5'],
      ['7 | divided_by: 0', ''],
    ],
    downcase: [['name | downcase', 'ada']],
    first: [
      ['list | first', '1'],
      ['name | first', ''],
    ],
    join: [
      ['list | join', '1, two, {"deep":[true]}'],
      ['list | join: "-"', '1-two-{"deep":[true]}'],
      ['name | join', 'Ada'],
    ],
    json: [
      ['list | json', '[\n  1,\n  "two",\n  {\n    "deep": [\n      true\n    ]\n  }\n]'],
      ['missing | json', 'null'],
    ],
    last: [['"a/b/c" | split: "/" | last', 'c']],
    link: [['name | link: "https://a.example"', 'link(Ada https://a.example)']],
    minus: [['form | minus: 1', '9']],
    plus: [
      ['form | plus: 1', '11'],
      ['name | plus: 1', '1'],
    ],
    prepend: [['name | prepend: "Hi "', 'Hi Ada']],
    raw: [['name | raw', 'Ada']],
    replace: [
      ['"a.b.c" | replace: ".", "$&"', 'a$&b$&c'],
      ['name | replace: "", "x"', 'Ada'],
      ['name | replace: "d"', 'Aa'],
    ],
    round: [
      ['2.5678 | round', '3'],
      ['2.5678 | round: 2', '2.57'],
      ['2.5 | round: 1000', '2.5'],
    ],
    size: [
      ['list | size', '3'],
      ['count | size', '0'],
      ['object | size', '3'],
    ],
    slice: [
      ['"abcdef" | slice: 2', 'c'],
      ['"abcdef" | slice: -3, 2', 'de'],
      ['list | slice: 0, 2 | join', '1, two'],
      ['"abc" | slice: -9, 2', 'ab'],
    ],
    split: [
      ['"a-b" | split: "-" | json', '[\n  "a",\n  "b"\n]'],
      ['"" | split: "-" | size', '0'],
    ],
    strip: [['" a " | strip', 'a']],
    times: [
      ['form | times: 3', '30'],
      ['huge | times: 10', ''],
    ],
    truncate: [
      ['"abcdef" | truncate: 4', 'abc…'],
      ['"abcdef" | truncate: 4, ".."', 'ab..'],
      ['"abcdef" | truncate: 6', 'abcdef'],
      ['"😀😀😀😀" | truncate: 3', '😀😀…'],
      ['"abc" | truncate: 2, "long"', 'long'],
    ],
    upcase: [['name | upcase', 'ADA']],
  }

  it.each(Object.entries(cases).flatMap(([, each]) => each))('%s is %j', (expression, written) => {
    expect(render(`{{ ${expression} }}`, body)).toBe(written)
  })

  it('are all tested', () => {
    expect(filterNames).toEqual(Object.keys(cases))
  })

  it('write values as they are told to', () => {
    const value = (text: string) => `<${text}>`
    const source =
      '{{ name }} {{ name | upcase }} {{ name | raw }} {{ name | raw | upcase }} {{ name | code }}'
    expect(render(source, body, { value })).toBe('<Ada> <ADA> Ada <ADA> code(Ada)')
  })
})

describe('problems', () => {
  it.each([
    ['a\nb {{ x | where: "y" }}', 2, /^there is no filter "where"; the filters are append, .*, upcase$/],
    ['{{ x | constructor }}', 1, /^there is no filter "constructor"/],
    ['\n\n{% include "x" %}', 3, /^there is no tag "include"; the tags are assign, break, /],
    ['{% render "x" %}', 1, /^there is no tag "render"/],
    ['{% layout "x" %}', 1, /^there is no tag "layout"/],
    ['{% liquid %}', 1, /^there is no tag "liquid"/],
    ['{% if x %}', 1, /not closed$/],
    ['{% endif %}', 1, /^there is no tag "endif"/],
    ['x\n{{ x', 2, /not closed$/],
    ['{{ x || y }}', 1, /filter name$/],
    ['{% for x of y %}{% endfor %}', 1, /^illegal tag/],
    ['{% assign = 1 %}', 1, /variable name$/],
  ])('%j: line %i, %s', (source, line, reason) => {
    expect(problemOf(source)).toEqual({ line, reason: expect.stringMatching(reason) })
  })

  it.each([
    '{% for i in (1..3) %}{{ i }}{% endfor %}',
    '{{ (1..3) | join }}',
    '{% for i in (100000000000000000..100000000000000016) %}{% endfor %}',
    '{% case 1 %}{% when 1 " or (1..2) " %}{% endcase %}{% case 2 %}{% when 1 " or (1..2) " %}{% endcase %}',
    '{{ list[(1..2)] }}',
  ])('%s: ranges are not available', (source) => {
    expect(problemOf(source, body)).toEqual({ line: 1, reason: 'ranges such as (1..5) are not available' })
  })
})

test.each([
  'constructor',
  'body.constructor',
  'body.__proto__',
  'body["__proto__"]',
  'list.constructor',
  'list.map',
  'name.constructor',
  'name.length',
  'count.toFixed',
  'object.hasOwnProperty',
  'empty.constructor',
  'blank.__proto__.constructor',
  'nil.valueOf',
  'toString',
  'globals',
  'list[list]',
  'body[object]',
  '[list]',
])('%s is nothing, because it is no field of the body', (path) => {
  const source = `{{ ${path} }}|{% for x in list limit: 1 %}{{ forloop.constructor }}{{ forloop.next }}{% endfor %}|`
  expect(render(source, body)).toBe('||')
})

test('names that templates give do not reach prototypes', () => {
  const source = `{% assign __proto__ = object %}{% capture constructor %}x{% endcapture %}
    {%- for __proto__ in list %}{% endfor %}{% for x in list __proto__: object %}{% endfor %}`
  expect(render(source, body)).toBe('')
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(render('{{ key }}{{ constructor }}', body)).toBe('')
})
