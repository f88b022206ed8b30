import { expect, test } from 'vitest'
import { terminalLine } from '../../src/start/log/terminal-lines.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
const lineOf = (fields: object, colors = false) =>
  terminalLine(JSON.stringify({ level: 30, time, ...fields }), colors)

test('a line has the time, the level, the message and the other fields', () => {
  const fields = { method: 'POST', status: 200, route: null, note: 'two words', msg: 'request' }
  expect(lineOf(fields)).toBe('03:04:05 INFO  request method=POST status=200 route=null note="two words"\n')
  expect(lineOf({ level: 40, msg: 'x' }, true)).toContain('\u001b[33mWARN ')
})

test('an error is followed by its stack', () => {
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at here' }
  expect(lineOf({ level: 50, err, msg: 'failed' })).toBe(
    '03:04:05 ERROR failed\n    Error: broken\n        at here\n',
  )
  expect(lineOf({ err: 'no stack', msg: 'failed' })).toContain('err="no stack"')
})

test('control characters in logged values are not printed', () => {
  const hostile = '\u001b[2J\u202e\r'
  const line = lineOf({ msg: hostile, name: hostile, err: { stack: `Error: ${hostile}` } })
  for (const character of hostile.match(/[^\w[]/g) ?? []) expect(line).not.toContain(character)
  expect(line.split('\n')).toHaveLength(3)
})
