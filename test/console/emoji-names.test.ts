import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Emoji,
  emojiLike,
  emojiNamed,
  namesLike,
  unfinishedName,
  wholeNamesIn,
} from '../../src/console/emoji/emoji-names.ts'
import { quickEmoji } from '../../src/console/emoji/quick-emoji.ts'

const file = new URL('../../src/console/emoji/emoji.json', import.meta.url)
const all: Emoji[] = JSON.parse(readFileSync(file, 'utf8')).emojis

test.each([
  ['tada', '🎉'],
  ['rocket', '🚀'],
  ['+1', '👍️'],
  ['white_check_mark', '✅️'],
  ['party popper', '🎉'],
  ['Eyes', '👀'],
])('%s names exactly one emoji, and is its first match', (name, emoji) => {
  expect(emojiNamed(all, name)).toBe(emoji)
  expect(namesLike(all, name)[0]?.emoji).toBe(emoji)
  expect(emojiLike(all, name)[0]?.emoji).toBe(emoji)
})

test('after the exact name come names that start with the text, then names that contain it, then descriptions', () => {
  const emoji = (label: string, tags: string[] = [], names: string[] = []) => ({
    emoji: label,
    label,
    tags,
    names,
  })
  const some = [
    emoji('astronaut', ['rocket']),
    emoji('red rocket'),
    emoji('rockets'),
    emoji('x', [], ['rocket']),
  ]
  expect(namesLike(some, 'rocket').map(({ name }) => name)).toEqual(['rocket', 'rockets', 'red_rocket'])
  expect(emojiLike(some, 'ROCKET').map(({ label }) => label)).toEqual([
    'x',
    'rockets',
    'red rocket',
    'astronaut',
  ])
  expect(emojiLike(some, '')).toEqual([])
})

test.each(['none at all', 'tad', ''])('%j names no emoji', (name) => {
  expect(emojiNamed(all, name)).toBeUndefined()
})

describe('a colon begins the name of an emoji', () => {
  test.each([
    [':ta', 0, 'ta'],
    ['Yes (:+1', 5, '+1'],
    ['a\n:white_ch', 2, 'white_ch'],
  ])('in %j', (text, start, search) => {
    expect(unfinishedName(text)).toEqual({ start, search })
  })

  test.each([
    ':',
    ':)',
    ':D',
    ':-D',
    'at 10:30',
    'std::max',
    'note: a',
    ':ta da',
  ])('but not in %j', (text) => {
    expect(unfinishedName(text)).toBeNull()
  })
})

test('names between colons are found only if they stand alone', () => {
  const names = (text: string) => wholeNamesIn(text).map(({ name }) => name)
  expect(names('Well :tada: done (:+1:), 🎉:rocket:')).toEqual(['tada', '+1', 'rocket'])
  expect(names('std::key::x 10:30:45 a:key:b ::1::')).toEqual([])
})

describe('the reactions of one click', () => {
  test('are 👍, ✅ and 👀 at first, and also after a few other reactions', () => {
    for (const stored of [null, '', '🎉 2', '👍 5 🎉 1'])
      expect([stored, quickEmoji(stored)]).toEqual([stored, ['👍', '✅', '👀']])
  })

  test('become those that the person uses most, and keep their places', () => {
    expect(quickEmoji('🎉 3')).toEqual(['👍', '✅', '🎉'])
    expect(quickEmoji('🎉 9 👀 4 🚀 5')).toEqual(['👀', '🎉', '🚀'])
    expect(quickEmoji('nonsense')).toEqual(['👍', '✅', '👀'])
  })
})
