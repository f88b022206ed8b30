import { expect, test } from 'vitest'
import { isolated } from '../../src/console/text/isolated.ts'
import { nameList } from '../../src/console/text/name-list.ts'

test('a list of names says how many are left out', () => {
  expect(nameList(['Ada', 'Grace'])).toBe('Ada, Grace')
  expect(nameList(['Ada', 'Grace'], 4)).toBe('Ada, Grace and 4 more')
  expect(nameList(['Ada', 'Grace'], null)).toBe('Ada, Grace and more')
})

test('a right-to-left text, or a text that sets a direction, does not reorder the text around it', () => {
  expect(isolated('Plan für 2027 👍')).toBe('Plan für 2027 👍')
  expect(isolated('שלום')).toBe('\u2068שלום\u2069')
  expect(isolated('gpj\u202etxt.exe\u2069')).toBe('\u2068gpjtxt.exe\u2069')
  expect(nameList(['\u202eAda', 'Grace'])).toBe('\u2068Ada\u2069, Grace')
})
