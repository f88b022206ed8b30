import { expect, test } from 'vitest'
import { readMarkdown, writeMarkdown } from '../../src/console/composer/field-text/field-markdown.ts'
import { plain, replaceParts } from '../../src/console/composer/field-text/field-text.ts'
import {
  exactEntry,
  unfinishedMention,
  wholeNames,
} from '../../src/console/composer/mentions/mention-text.ts'

const [ada, lovelace, anne, marie] = ['Ada', 'Ada Lovelace', 'Anne', 'Anne-Marie (QA)'].map(
  (name, index) => ({ id: `usr_${index}`, name }),
)
const people = [ada, lovelace, anne, marie].flatMap((one) => one ?? [])
const twins = [...people, { id: 'usr_9', name: 'ada lovelace' }]

test.each([
  ['Ada Lovelace', ' ', lovelace],
  ['ADA  lovelace', ',', lovelace],
  ['Ada', ' ', undefined],
  ['Ada', '.', undefined],
  ['Ada Love', ' ', undefined],
  ['Anne', ' ', anne],
  ['Anne', '-', undefined],
  ['anne-marie (qa)', '!', marie],
])('%j and then %j completes a mention only if no other name can follow', (typed, next, entry) => {
  expect(exactEntry(people, typed, next)).toBe(entry)
})

test('accents and kinds of apostrophes are ignored', () => {
  const named = ['Zoë Ångström', 'Shane O’Brien', '王美丽', 'Zoe'].map((name, index) => ({
    id: `usr_${index}`,
    name,
  }))
  expect(exactEntry(named, 'zoe angstrom', ' ')).toBe(named[0])
  for (const typed of ['zoe', 'Zoë']) expect(exactEntry(named, typed, ' ')).toBeUndefined()
  expect(completed("@Zoe\u0308 Angstrom, @shane o'brien and @王美丽。", named)).toBe(
    '[Zoë Ångström](skein:usr_0), [Shane O’Brien](skein:usr_1) and [王美丽](skein:usr_2)。',
  )
})

test('a name that two entries have is not completed', () => {
  expect(exactEntry(twins, 'Ada Lovelace', ' ')).toBeUndefined()
  expect(completed('@Ada Lovelace', twins)).toBe('@Ada Lovelace')
})

const completed = (text: string, entries = people, refused: readonly string[] = []) => {
  const shown = readMarkdown(text)
  const changes = wholeNames(shown, entries, (_at, typed) => refused.includes(typed))
  return writeMarkdown(replaceParts(shown, changes))
}

test.each([
  ['@ada can you', '[Ada](skein:usr_0) can you'],
  [
    'Hi @Ada lovelace, (@Anne) and @ada!',
    'Hi [Ada Lovelace](skein:usr_1), ([Anne](skein:usr_2)) and [Ada](skein:usr_0)!',
  ],
  [
    "@Ada's, @Ada.\n@anne-marie (QA)",
    "[Ada](skein:usr_0)'s, [Ada](skein:usr_0).\n[Anne-Marie (QA)](skein:usr_3)",
  ],
])('when it is sent, %j mentions the longest matching names', (text, expected) => {
  expect(completed(text)).toBe(expected)
})

test.each([
  'mail ada@ada.com, @ada.com, @Adam, @Ada_1 or @Ada-1',
  'run `npm i @ada now`',
  '```\n@Ada\n```',
  '[ask @Ada now](https://example.com)',
  `[Ada](skein:usr_${'0'.repeat(27)}) and @\nAda`,
])('when it is sent, %j does not change', (text) => {
  expect(completed(text)).toBe(text)
})

test('a name that a person turned back into text is not completed when the message is sent', () => {
  expect(completed('@Ada and @Anne', people, ['Ada'])).toBe('@Ada and [Anne](skein:usr_2)')
})

test('what follows a mention is not a part of its name', () => {
  const shown = readMarkdown(`Hi [Ada](skein:usr_${'0'.repeat(27)}) @lov`)
  expect(unfinishedMention(shown, 7)).toBeNull()
  expect(unfinishedMention(shown, 8)).toBeNull()
  expect(unfinishedMention(shown, 12)).toEqual({ start: 8, search: 'lov' })
  expect(unfinishedMention(plain('Hi @Ada L'), 9)).toEqual({ start: 3, search: 'Ada L' })
})
