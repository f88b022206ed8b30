import { expect, test } from 'vitest'
import { addressText, parseAddresses } from '../../src/console/settings/people/parse-addresses.ts'

const [ada, grace] = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }]

test.each([
  ['ada@example.com', [ada]],
  ['ada@example.com, grace@example.com', [ada, grace]],
  [' ada@example.com;grace@example.com\n', [ada, grace]],
  ['ada@example.com\r\n\r\ngrace@example.com', [ada, grace]],
  ['ada@example.com grace@example.com ADA@example.com', [ada, grace]],
  ['<ada@example.com>,< grace@example.com >', [ada, grace]],
  ['Ada Lovelace <ada@example.com>', [{ ...ada, name: 'Ada Lovelace' }]],
  [
    'grace@example.com Ada <ada@example.com>, "Hopper, Grace" <grace2@example.com>',
    [grace, { ...ada, name: 'Ada' }, { email: 'grace2@example.com', name: 'Hopper, Grace' }],
  ],
  ['"" <ada@example.com>', [ada]],
  ['ada grace@example.com', [{ email: 'ada' }, grace]],
  ['Ada <>', []],
  [' ,; \n', []],
  ['', []],
])('%j has the addresses %j', (text, addresses) => {
  expect(parseAddresses(text)).toEqual(addresses)
  expect(parseAddresses(addresses.map(addressText).join('\n'))).toEqual(addresses)
})

test('a long text of words without an address is read in little time', () => {
  expect(parseAddresses('word '.repeat(4000))).toEqual([{ email: 'word' }])
})
