import { expect, test } from 'vitest'
import { pick } from '../../src/cli/references.ts'

const people = [
  { id: 'usr_1', name: 'Łukasz Żak', email: 'Lukasz@example.com' },
  { id: 'usr_2', name: 'Shane O’Brien', email: null },
]

test.each([
  ['lukasz zak', 'usr_1'],
  ['ŁUKASZ ŻAK', 'usr_1'],
  ['lukasz@EXAMPLE.com', 'usr_1'],
  ["shane o'brien", 'usr_2'],
])('%s names a person regardless of case, accents and the kind of an apostrophe', (text, id) => {
  expect(pick('user', text, people)).toBe(id)
})

test('a part of a name finds nobody, and the error lists the similar names', () => {
  expect(() => pick('user', 'zak', people)).toThrow(
    /Did you mean one of these\?\n {2}usr_1 {2}Łukasz Żak <Luk/,
  )
})
