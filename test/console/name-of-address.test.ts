import { expect, test } from 'vitest'
import { nameOfAddress } from '../../src/console/settings/people/name-of-address.ts'

test.each([
  ['joan', 'Joan'],
  ['joan.miller@example.com', 'Joan Miller'],
  ['anne-marie_o.neil+work@example.com', 'Anne-Marie O Neil'],
  ['JMiller2@example.com', 'JMiller2'],
  ['.@example.com', ''],
  ['', ''],
])('the address %j suggests the name %j', (email, name) => {
  expect(nameOfAddress(email)).toBe(name)
})
