import { describe, expect, it } from 'vitest'
import { isBlankMarkdown } from '../../../src/text/markdown/plain-text.ts'
import { mentionedIDs } from '../../../src/text/markdown/render-markdown.ts'
import { json } from '../../../src/webhooks/formats/json.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { randomJSON } from './random-json.ts'
import { htmlOf, operationOf, settings, userID } from './read-format.ts'

const read = (body: unknown) => operationOf(json, body)
const codeIn = (text: string) => JSON.parse(/^```json\n(.*)\n```$/ms.exec(text)?.[1] ?? 'null')

describe('senders', () => {
  it('Apprise: the title is bold, and fields that say nothing are left out', () => {
    const body = { version: '1.0', title: 'Backup', message: 'It *ran*', attachments: [], type: 'success' }
    expect(read(body)).toEqual({ text: '**Backup**\nIt \\*ran\\*', state: 'ok' })
    expect(read({ ...body, title: '', type: 'info' })).toEqual({ text: 'It \\*ran\\*' })
    const warning = read({ ...body, type: 'warning' })
    expect({ code: codeIn(warning.text), state: warning.state }).toEqual({ code: { type: 'warning' } })
  })

  it('Healthchecks: a body of its own template', () => {
    const body = { title: 'nightly-backup', status: 'down', url: 'https://hc.example.com/checks/1/' }
    expect(read(body)).toEqual({
      text: '**[nightly-backup](https://hc.example.com/checks/1/)**',
      state: 'failed',
    })
  })

  it('Watchtower: a title and a message with a list', () => {
    const body = {
      title: 'Watchtower updates on nas',
      message: 'Found new nginx:latest image\n- /web updated',
      host: 'nas',
    }
    const operation = read(body)
    expect(htmlOf(operation)).toContain(
      '<p><strong>Watchtower updates on nas</strong><br>Found new nginx:latest image<br>- /web updated</p>',
    )
    expect(codeIn(operation.text)).toEqual({ host: 'nas' })
  })

  it('Uptime Kuma: the heartbeat has the state as a number, and the rest is code', () => {
    const heartbeat = {
      monitorID: 1,
      status: 0,
      time: '2026-11-26 10:00:00.000',
      msg: 'connect ECONNREFUSED',
    }
    const body = {
      heartbeat,
      monitor: { id: 1, name: 'web', url: 'https://example.com' },
      msg: '[web] [🔴 Down] connect ECONNREFUSED',
    }
    const operation = read(body)
    expect(operation.state).toBe('failed')
    expect(operation.text.split('\n\n')[0]).toBe('[web] [🔴 Down] connect ECONNREFUSED')
    expect(codeIn(operation.text)).toEqual({ heartbeat: body.heartbeat, monitor: body.monitor })
    expect(read({ ...body, heartbeat: { ...heartbeat, status: 1 } }).state).toBe('ok')
    expect(read({ heartbeat: null, monitor: null, msg: 'My webhook Testing' })).toEqual({
      text: 'My webhook Testing',
    })
  })

  it('a script: the link is below a text without a title', () => {
    const body = { summary: 'Build 12', url: 'https://ci.example.com/(12)', state: 'In Progress' }
    expect(read(body)).toEqual({
      text: 'Build 12\n\n[https://ci.example.com/(12)](https://ci.example.com/\\(12\\))',
      state: 'running',
    })
  })
})

describe('fields', () => {
  it('the first field that has a text counts, and the others are code', () => {
    const operation = read({ summary: 'short', message: 'long', text: ' ', subject: 'S', title: null })
    expect(operation.text.startsWith('**S**\nlong\n\n')).toBe(true)
    expect(codeIn(operation.text)).toEqual({ summary: 'short' })
  })

  it.each([
    [{ status: 'RESOLVED' }, 'ok'],
    [{ status: 'up' }, 'ok'],
    [{ status: 'unknown', state: 'error' }, 'failed'],
    [{ type: 'failure' }, 'failed'],
    [{ status: 'started' }, 'running'],
    [{ status: 'in_progress' }, 'running'],
    [{ status: 'constructor' }, undefined],
    [{ status: 'completed' }, undefined],
    [{ status: 1 }, undefined],
  ])('%j means the state %s', (fields, state) => {
    expect(read({ message: 'm', ...fields }).state).toBe(state)
  })

  it('a URL that is no link stays in the code', () => {
    expect(codeIn(read({ message: 'm', url: 'javascript:alert(1)' }).text)).toEqual({
      url: 'javascript:alert(1)',
    })
    expect(codeIn(read({ message: 'm', url: { a: 1 } }).text)).toEqual({ url: { a: 1 } })
  })

  it('text is shown as it is, and mentions nobody', () => {
    const operation = read({
      title: '*T*',
      message: `__init__ [Ann](skein:${userID})\n> 1. x`,
      ['`'.repeat(4)]: '```',
    })
    expect(operation.allowMentions).toBeUndefined()
    expect(mentionedIDs(operation.text, ['skein'])).toEqual([])
    expect(htmlOf(operation)).toContain(`*T*</strong><br>__init__ [Ann](skein:${userID})<br>&gt; 1. x</p>`)
    expect(htmlOf(operation)).toContain('&quot;````&quot;: &quot;```&quot;')
  })

  it('text from right to left stays as it is', () => {
    expect(read({ title: 'اختبار', message: 'مرحبا' }).text).toBe('**اختبار**\nمرحبا')
  })
})

describe('bodies without text', () => {
  it.each([[{}], [[]], [null], [undefined], [''], [' \u200b ']])('%j is skipped', (body) => {
    expect(json.read({ headers: {}, body, settings })).toEqual({ skip: 'The body is empty.' })
  })

  it.each([
    [{ name: 'web', status: 'down' }],
    [{ text: null, title: null, url: null }],
    [[1, { a: [] }]],
  ])('%j becomes code that says what it was', (body) => {
    const { text } = read(body)
    expect(text.startsWith('_A JSON body without text._\n\n')).toBe(true)
    expect(codeIn(text)).toEqual(body)
  })

  it('a value that is no object is the text', () => {
    expect([read('a *b*').text, read(0).text, read(false).text]).toEqual(['a \\*b\\*', '0', 'false'])
  })
})

describe('large bodies', () => {
  it('long values, deep values and many values are cut in the code', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    const { text } = read({ message: 'm', image: 'A'.repeat(300_000), deep, rows: Array(300_000).fill(1) })
    const { image, rows, deep: shown } = codeIn(text)
    expect({ image: image.length, rows: rows.at(-1), deep: JSON.stringify(shown) }).toEqual({
      image: 1000,
      rows: '…',
      deep: '[[[[[[[[["…"]]]]]]]]]',
    })
  })

  it('the code is cut before the text is', () => {
    const limits = { textCharacters: 60, subjectCharacters: 250 }
    const body = { message: 'It failed', a: 'x'.repeat(100) }
    const { text } = operationOf(json, body, { limits })
    expect({ text, length: [...text].length }).toEqual({
      text: `It failed\n\n\`\`\`json\n{\n  "a": "${'x'.repeat(29)}…`,
      length: 59,
    })
  })
})

it('is recognized by a text, but not by the fields of the plain URL alone', () => {
  const bodies = [{ message: 'x' }, { title: 'x' }, { msg: 'x' }, { target: 'grp_x' }, [], null, 'x']
  expect(bodies.map(json.recognizes)).toEqual([true, true, true, false, false, false, false])
})

it('any JSON becomes a message that shows something and mentions nobody, or is skipped', () => {
  const names = [
    'text',
    'message',
    'title',
    'subject',
    'url',
    'status',
    'state',
    'type',
    'heartbeat',
    'x',
  ] as const
  const texts = ['up', 'down', `[Ann](skein:${userID})`, `](skein:${userID})`]
  const skipped: unknown[] = []
  for (let seed = 1; seed <= 1500; seed += 1) {
    const body = randomJSON(randomNumbers(seed), { names: ['text', ...names], texts })
    const limits = { textCharacters: seed % 3 === 0 ? 60 : 40_000, subjectCharacters: 250 }
    const reading = json.read({ headers: {}, body, settings: { ...settings, limits } })
    if ('skip' in reading) skipped.push(body)
    else {
      const { text } = reading.operations[0]
      expect({
        seed,
        isBlank: isBlankMarkdown(text),
        hasNUL: text.includes('\0'),
        isTooLong: [...text].length > limits.textCharacters,
        mentioned: mentionedIDs(text, ['skein']),
      }).toEqual({ seed, isBlank: false, hasNUL: false, isTooLong: false, mentioned: [] })
    }
  }
  expect(skipped.length).toBeGreaterThan(0)
})
