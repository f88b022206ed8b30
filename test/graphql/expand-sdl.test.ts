import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../support/process.ts'

const { expandSDL }: { expandSDL: (texts: string[]) => string[] } = await import(
  join(repository, '.config/expand-sdl.mjs')
)

test('@page is refused on a field that does not return a connection', () => {
  expect(() => expandSDL(['type Query { users: [User!] @page }'])).toThrow(
    'The field users has @page, but its type is not a connection.',
  )
})

test('@fieldsOf adds the fields of another input, except those in the list and those that the input has', () => {
  const [text] = expandSDL([
    `input SendInput { "A" a: Int b: Int key: ID }
    input EditInput @fieldsOf(input: "SendInput", except: ["key"]) { id: ID b: Float }`,
  ])
  expect(text?.slice(text.indexOf('input EditInput')).replace(/\s+/g, ' ')).toBe(
    'input EditInput { id: ID b: Float "A" a: Int } ',
  )
})

test('@fieldsOf is refused with an input that does not exist', () => {
  expect(() => expandSDL(['input EditInput @fieldsOf(input: "Sent") { id: ID }'])).toThrow(
    'The input EditInput has @fieldsOf, but there is no input Sent.',
  )
})

test('an input or a payload keeps the description that it has', () => {
  const [text] = expandSDL([
    '"Give either id or name." input AddUserInput { id: ID } input CutUserInput { id: ID }',
  ])
  expect(text).toContain('"Give either id or name."\ninput AddUserInput {')
  expect(text).toContain('"The input of cutUser."\ninput CutUserInput {')
})
