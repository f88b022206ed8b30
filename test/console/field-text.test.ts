import { expect, test } from 'vitest'
import {
  readMarkdown,
  shownMentions,
  writeMarkdown,
} from '../../src/console/composer/field-text/field-markdown.ts'
import {
  changeBetween,
  type FieldText,
  mentionText,
  partOf,
  plain,
  remainderOf,
  replacePart,
} from '../../src/console/composer/field-text/field-text.ts'
import { addState, startHistory, stepTo } from '../../src/console/composer/field-text/history.ts'
import { mentionBeside, outsideMentions } from '../../src/console/composer/field-text/selection.ts'

const [ada, grace] = [`usr_${'a'.repeat(27)}`, `usr_${'g'.repeat(27)}`]
const adaMarkdown = `[Ada Lovelace](skein:${ada})`
const adaShown = mentionText({ id: ada, name: 'Ada Lovelace' })

/** Returns the names of the mentions, with the text around them. */
const parts = ({ text, mentions }: FieldText) => mentions.map(({ start, end }) => text.slice(start, end))

test.each([
  [`Hi ${adaMarkdown}, and [Grace](skein:${grace})!`, 'Hi @Ada Lovelace, and @Grace!', 2],
  [`[O\\_o \\[x\\]](skein:${ada})`, '@O_o [x]', 1],
  [`Hey\\!${adaMarkdown}`, 'Hey!@Ada Lovelace', 1],
  [`two lines\n${adaMarkdown}\n`, 'two lines\n@Ada Lovelace\n', 1],
  [`5\` ${adaMarkdown}`, '5` @Ada Lovelace', 1],
  [`\`a\` ${adaMarkdown} \`b\``, '`a` @Ada Lovelace `b`', 1],
  ['plain, [link](https://example.com) and `code`', 'plain, [link](https://example.com) and `code`', 0],
])('a field shows the names of %j, and gives the same Markdown back', (markdown, text, count) => {
  const shown = readMarkdown(markdown)
  expect([shown.text, shown.mentions.length]).toEqual([text, count])
  expect(writeMarkdown(shown)).toBe(markdown)
})

test.each([
  `\`${adaMarkdown}\``,
  `\`\`a\` ${adaMarkdown} \`\``,
  `\`\`\`\n${adaMarkdown}\n\`\`\``,
  `~~~ts\n${adaMarkdown}`,
  `!${adaMarkdown}`,
  `\\${adaMarkdown}`,
  `[Ada](skein:usr_short)`,
])('%j is not a mention, and stays as it is', (markdown) => {
  expect(readMarkdown(markdown)).toEqual(plain(markdown))
})

test('a field shows the present name of who is mentioned', () => {
  expect(readMarkdown(`Hi ${adaMarkdown}`, new Map([[ada, 'Ada King']])).text).toBe('Hi @Ada King')
})

test.each([
  ['`', '`', '`@Ada Lovelace`'],
  ['```\n', '\n```', '```\n@Ada Lovelace\n```'],
  ['Hey!', '', `Hey\\!${adaMarkdown}`],
  ['C:\\', '', `C:\\\\${adaMarkdown}`],
  ['5` ', '', `5\` ${adaMarkdown}`],
])('a mention between %j and %j is written as Markdown that the service reads in the same way', (...texts) => {
  const [before, after, expected] = texts
  const shown = replacePart(plain(before + after), {
    start: before.length,
    end: before.length,
    part: adaShown,
  })
  expect(writeMarkdown(shown)).toBe(expected)
  expect(shownMentions(shown)).toHaveLength(expected.includes('skein:') ? 1 : 0)
})

/** Edits a text that has two mentions. The caret is at the end of the part. */
function edited(text: string, caret: number) {
  const before = readMarkdown(`Hi ${adaMarkdown} and [Grace](skein:${grace}) there`)
  const change = changeBetween(before.text, text, caret)
  return { shown: replacePart(before, change), rest: remainderOf(before.mentions, change) }
}

test.each([
  ['letters before a mention', 'Hello @Ada Lovelace and @Grace there', 5, ['@Ada Lovelace', '@Grace']],
  ['letters after a mention', 'Hi @Ada Lovelaces and @Grace there', 17, ['@Ada Lovelace', '@Grace']],
  ['a line break between mentions', 'Hi @Ada Lovelace\n and @Grace there', 17, ['@Ada Lovelace', '@Grace']],
  ['a mention that is deleted', 'Hi  and @Grace there', 3, ['@Grace']],
  ['letters in a mention', 'Hi @Ada B. Lovelace and @Grace there', 10, ['@Grace']],
  ['all before a mention that is deleted', '@Grace there', 0, ['@Grace']],
  ['an empty text', '', 0, []],
])('after an edit, mentions stay mentions: %s', (_title, text, caret, names) => {
  const { shown } = edited(text, caret)
  expect([shown.text, parts(shown)]).toEqual([text, names])
})

test('what an edit leaves of a mention that it deleted in part is known', () => {
  expect(edited('Hi @Ada Lovelac and @Grace there', 15).rest).toEqual({ start: 3, end: 15 })
  expect(edited('Hi Ada Lovelace and @Grace there', 3).rest).toEqual({ start: 3, end: 15 })
  expect(edited('Hi  and @Grace there', 3).rest).toBeNull()
  expect(edited('Hi @Ada Lovelace and @Grace ther', 32).rest).toBeNull()
})

test('a deletion among equal letters belongs to the place of the caret', () => {
  const twice = replacePart(adaShown, { start: 13, end: 13, part: adaShown })
  const change = changeBetween(twice.text, adaShown.text, 0)
  expect(change).toMatchObject({ start: 0, end: 13 })
  expect(changeBetween(twice.text, adaShown.text, 13)).toMatchObject({ start: 13, end: 26 })
})

test('a part of a text has the mentions that are whole in it', () => {
  const { shown } = edited('Hi @Ada Lovelace and @Grace there', 3)
  expect(partOf(shown, 3, 24)).toEqual({ text: '@Ada Lovelace and @Gr', mentions: adaShown.mentions })
})

const mentions = [{ id: ada, start: 3, end: 16 }]
const at = (start: number, end = start) => ({ start, end })

test.each([
  ['a step to the left', at(15), at(16), false, at(3)],
  ['a step to the right', at(4), at(3), false, at(16)],
  ['a move from elsewhere to the nearer end', at(6), at(30), false, at(3)],
  ['a click beside the present caret', at(14), at(16), true, at(16)],
  ['a selection that grows to the left', at(15, 16), at(16), false, at(3, 16)],
  ['a selection that grows to the right', at(0, 4), at(0, 3), false, at(0, 16)],
  ['a selection that becomes smaller', at(0, 15), at(0, 16), false, at(0, 3)],
  ['a selection of which the beginning moves on', at(4, 20), at(3, 20), false, at(16, 20)],
  ['a word that is clicked twice', at(4, 7), at(3), true, at(3, 16)],
  ['a place outside', at(20), at(16), false, at(20)],
])('the caret is never in a mention: %s', (_title, now, before, isPointer, expected) => {
  expect(outsideMentions(mentions, now, before, isPointer)).toEqual(expected)
})

test('Backspace after a mention and Delete before it take the whole mention', () => {
  expect(mentionBeside(mentions, at(16), 'Backspace')).toBe(mentions[0])
  expect(mentionBeside(mentions, at(3), 'Delete')).toBe(mentions[0])
  expect(mentionBeside(mentions, at(3), 'Backspace')).toBeUndefined()
  expect(mentionBeside(mentions, at(16), 'Delete')).toBeUndefined()
  expect(mentionBeside(mentions, at(3, 16), 'Backspace')).toBeUndefined()
  expect(mentionBeside(mentions, at(16), 'a')).toBeUndefined()
})

test('a text that the browser brings back has its mentions again, also if its letters are the same', () => {
  const typed = plain('@Ada Lovelace')
  const more = replacePart(adaShown, { start: 13, end: 13, part: plain(' and') })
  let history = startHistory(plain(''))
  for (const next of [plain('@'), typed, adaShown, more, plain('')]) history = addState(history, next)
  const states: FieldText[] = [plain('')]
  for (const text of [more.text, adaShown.text, typed.text]) {
    const step = stepTo(history, text, states.at(-1) ?? typed, true)
    history = step ?? history
    states.push(history.states[history.at] ?? typed)
  }
  expect(states).toEqual([plain(''), more, adaShown, typed])
  expect(stepTo(history, adaShown.text, typed, false)?.at).toBe(2)
  expect(stepTo(history, 'Never shown', typed, true)).toBeNull()
})
