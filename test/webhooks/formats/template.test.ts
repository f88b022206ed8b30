import { describe, expect, it } from 'vitest'
import type { WebhookTemplates } from '../../../src/apps/webhooks/templates.ts'
import { isBlankMarkdown, plainText } from '../../../src/text/markdown/plain-text.ts'
import { mentionedIDs } from '../../../src/text/markdown/render-markdown.ts'
import type { Settings } from '../../../src/webhooks/formats/format.ts'
import { template } from '../../../src/webhooks/formats/template.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { randomJSON, randomText } from './random-json.ts'
import { groupID, htmlOf, operationOf, refusalOf, settings, userID } from './read-format.ts'

const read = (templates: WebhookTemplates, body: unknown, changes: Partial<Settings> = {}) =>
  operationOf(template, body, { templates, ...changes })
const textOf = (text: string, body: unknown) => read({ text }, body).text

describe('the text', () => {
  it('shows values as they are, and the Markdown of the template', () => {
    const body = {
      title: '*T* [x](https://evil.example)',
      lines: '> 1. a\n- b\n\n    c',
      link: `[Ann](skein:${userID})`,
    }
    const operation = read({ text: '**{{ title }}**\n\n{{ lines }} {{ link }}' }, body)
    expect(htmlOf(operation)).toBe(
      `<p><strong>*T* [x](https://evil.example)</strong></p><p>&gt; 1. a<br>- b</p><p>c [Ann](skein:${userID})</p>`,
    )
    expect(mentionedIDs(operation.text, ['skein'])).toEqual([])
  })

  it('has raw Markdown of a value, which mentions nobody', () => {
    const operation = read({ text: '{{ x | raw }}' }, { x: `**b** [Ann](skein:${userID})` })
    expect(operation).toEqual({ text: `**b** [Ann](skein:${userID})` })
  })

  it.each([
    ['a `tick`', '<p>Log: <code>a `tick`</code> end</p>'],
    ['', '<p>Log:  end</p>'],
    ['one\r\n```\ntwo', '<p>Log:</p><pre><code>one\n```\ntwo\n</code></pre><p>end</p>'],
  ])('has %j as code', (x, html) => {
    expect(htmlOf(read({ text: 'Log: {{ x | code }} end' }, { x })).replaceAll('  ', ' ')).toBe(
      html.replaceAll('  ', ' '),
    )
  })

  it('has code with a language, in a block', () => {
    expect(textOf('{{ body | json | code: "json" }}', { a: 1 })).toBe('```json\n{\n  "a": 1\n}\n```')
    expect(textOf('{{ a | code: "js\n`" }}', { a: 1 })).toBe('`1`')
  })

  it.each([
    ['https://a.example/(1)_x', '<a href="https://a.example/(1)_x">T [1]</a>'],
    ['javascript:alert(1)', 'T [1] (javascript:alert(1))'],
    [`skein:${userID}`, `T [1] (skein:${userID})`],
    [
      'https://a.example/) **b** [y](https://b.example',
      'T [1] (https://a.example/) **b** [y](https://b.example)',
    ],
    ['', 'T [1]'],
    [null, 'T [1]'],
  ])('has a link to %j', (url, html) => {
    const { text } = read({ text: '{{ title | link: url }}' }, { title: 'T [1]', url })
    expect(htmlOf({ text })).toBe(`<p>${html}</p>`)
    expect(mentionedIDs(text, ['skein'])).toEqual([])
  })

  it('has values that are no markup together with what stands beside them', () => {
    const body = { end: 'Wow!', digit: '1', dot: '. x', half: '~', url: 'https://a.example' }
    expect(htmlOf(read({ text: '{{ end }}[here]({{ url }})' }, body))).toBe(
      '<p>Wow!<a href="https://a.example/">here</a></p>',
    )
    expect(htmlOf(read({ text: '{{ digit }}{{ dot }}' }, body))).toBe('<p>1. x</p>')
    expect(htmlOf(read({ text: '{{ half }}{{ half }}x{{ half }}{{ half }}' }, body))).toBe('<p>~~x~~</p>')
  })

  it('has a captured text, which is escaped once if it is raw', () => {
    expect(textOf('{% capture c %}{{ x }}{% endcapture %}{{ c | raw }}', { x: '*' })).toBe('\\*')
  })

  it('is a skip if it is blank, so that a template can choose among events', () => {
    const text = '{% if event == "deploy" %}Deployed{% endif %}'
    expect(textOf(text, { event: 'deploy' })).toBe('Deployed')
    for (const body of [{ event: 'other' }, [], null, undefined, 'x'])
      expect(template.read({ headers: {}, body, settings: { ...settings, templates: { text } } })).toEqual({
        skip: 'The template of the text wrote nothing.',
      })
  })

  it('is not escaped if the message is plain', () => {
    const templates = { text: '{{ x }} {{ x | code }} {{ x | link: "https://a.example" }}', plain: '{{ y }}' }
    expect(read(templates, { x: '*', y: true })).toEqual({ text: '* * * (https://a.example)', plain: 'true' })
    expect(read(templates, { x: '*', y: false }).text).toBe('\\* `*` [\\*](https://a.example)')
  })

  it('is shortened', () => {
    const limits = { textCharacters: 20, subjectCharacters: 250 }
    expect(read({ text: '**{{ x }}**' }, { x: 'y'.repeat(50) }, { limits }).text).toBe(
      '\\*\\*yyyyyyyyyyyyyy…',
    )
  })
})

describe('other fields', () => {
  const templates: WebhookTemplates = {
    text: 'x',
    threadBy: ' {{ id }} ',
    threadSubject: '{{ title }}\n{{ title | code }}',
    uniqueBy: '{{ id }}-u',
    version: '{{ n }}',
    state: '{% if up %}ok{% else %}failed{% endif %}\n',
    notify: 'never',
    threadClosed: '{{ up }}',
    threadState: '{{ missing }}',
    senderName: '{{ title }}\u202e\n!',
  }

  it('are the values without blanks around them, and without escapes', () => {
    expect(read(templates, { id: 'a_b', title: '*T*', n: 7, up: true })).toEqual({
      text: 'x',
      threadBy: 'a_b',
      threadSubject: '*T* *T*',
      uniqueBy: 'a_b-u',
      version: '7',
      state: 'ok',
      notify: 'never',
      threadClosed: 'true',
      senderName: '*T* !',
    })
  })

  it('have no keys and subjects of threads if the target is a thread', () => {
    const operation = read(templates, { id: 'k', up: false }, { groupID: undefined })
    expect(Object.keys(operation)).not.toContain('threadBy')
    expect(Object.keys(operation)).not.toContain('threadSubject')
    expect(operation.state).toBe('failed')
  })

  it('have the key as the subject if there is no other', () => {
    expect(read({ text: 'x', threadBy: '{{ id }}' }, { id: 'k' })).toEqual({
      text: 'x',
      threadBy: 'k',
      threadSubject: 'k',
    })
  })
})

describe('a problem', () => {
  it('names the field and the line', () => {
    const templates = { text: 'x', state: 'ok\n\n{{ (1..2) }}' }
    const read = () =>
      template.read({
        headers: {},
        body: {},
        settings: { ...settings, templates },
      })
    expect(read).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        errors: [
          {
            field: 'templates.state',
            message: 'has a problem in line 3: ranges such as (1..5) are not available',
          },
        ],
      }),
    )
  })

  it('is that there is no template of the text', () => {
    expect(refusalOf(template, { text: 'x' }).errors).toEqual([
      {
        field: 'templates.text',
        message: 'is missing: set the template of the text in the settings of the webhook',
      },
    ])
  })
})

const inOrder = (text: string) => text.replace(/[\s\u200b]+/g, ' ').trim()

it('any value is shown exactly as it is, whatever stands beside it', () => {
  const others = [
    '.',
    '!',
    '1',
    '://x/_a',
    'http',
    'https://a.b/_c_',
    '](',
    `[Ann](skein:${userID})`,
    '<b>',
    '&lt;',
  ]
  for (let seed = 1; seed <= 1000; seed += 1) {
    const random = randomNumbers(seed)
    const value = () => randomText(random, others).toWellFormed()
    const body = { a: value(), b: value(), c: value() }
    const { text } = read({ text: 'S[{{ a }}](x{{ b }}{{ c }}E\n{{ b }}' }, body)
    const shown = `S[${body.a}](x${body.b}${body.c}E\n${body.b}`.replaceAll('\0', '\ufffd')
    expect({ seed, text: inOrder(plainText(text, [])) }).toEqual({ seed, text: inOrder(shown) })
    const tags = new Set([...htmlOf({ text }).matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))
    expect({ seed, tags: [...tags].filter((tag) => tag !== 'p' && tag !== 'br') }).toEqual({ seed, tags: [] })
  }
})

it('any JSON becomes a message that shows something and mentions nobody, or is skipped', () => {
  const names = ['a', 'b', 'c', 'd', 'size'] as const
  const texts = ['up', `[Ann](skein:${userID})`, `](skein:${userID})`]
  const templates: WebhookTemplates = {
    text: '{{ a }} {{ b | code }} {{ c | link: d }} {% for x in body %}- {{ x | json }}\n{% endfor %}',
    ...{ threadBy: '{{ a }}', threadSubject: '{{ b }}', uniqueBy: '{{ c }}', senderName: '{{ d }}' },
    ...{
      version: '{{ a }}',
      state: '{{ b }}',
      notify: '{{ c }}',
      threadClosed: '{{ d }}',
      threadState: '{{ a }}',
    },
  }
  const skipped: unknown[] = []
  for (let seed = 1; seed <= 500; seed += 1) {
    const body = randomJSON(randomNumbers(seed), { names: ['a', ...names], texts })
    const limits = { textCharacters: seed % 3 === 0 ? 60 : 40_000, subjectCharacters: 250 }
    const reading = template.read({
      headers: {},
      body,
      settings: { ...settings, groupID, templates, limits },
    })
    if ('skip' in reading) skipped.push(body)
    else {
      const [{ text, allowMentions }] = reading.operations
      expect({
        seed,
        isBlank: isBlankMarkdown(text) && text.trim() !== '',
        hasNUL: text.includes('\0'),
        isTooLong: [...text].length > limits.textCharacters,
        mentioned: mentionedIDs(text, ['skein']),
        allowMentions,
      }).toEqual({
        seed,
        isBlank: false,
        hasNUL: false,
        isTooLong: false,
        mentioned: [],
        allowMentions: undefined,
      })
    }
  }
  expect(skipped.length).toBeGreaterThan(0)
})
