import { expect, test } from 'vitest'
import { deriveKey, sign, verifySignature } from '../../src/platform/secrets/signatures.ts'

const key = deriveKey('the secret of the operator', 'a purpose')

test('a signature is valid only for its texts and its key', () => {
  const signature = sign(key, ['a', 'b'])
  expect(signature).toMatch(/^[\w-]{43}$/)
  expect(verifySignature(signature, key, ['a', 'b'])).toBe(true)
  for (const texts of [['a'], ['b', 'a'], ['ab'], ['a', 'b', ''], ['a,b'], ['a', 'B']]) {
    expect(verifySignature(signature, key, texts)).toBe(false)
  }
  for (const other of [
    deriveKey('another secret', 'a purpose'),
    deriveKey('the secret of the operator', 'b'),
  ]) {
    expect(verifySignature(signature, other, ['a', 'b'])).toBe(false)
  }
})

test('another text is not a valid signature', () => {
  const signature = sign(key, ['a'])
  for (const given of [
    '',
    'x',
    signature.slice(1),
    `${signature}x`,
    signature.toUpperCase(),
    '\u{1f600}'.repeat(10),
  ]) {
    expect(verifySignature(given, key, ['a'])).toBe(false)
  }
})

test('two processes with the same secret derive the same key', () => {
  expect(deriveKey('the secret of the operator', 'a purpose')).toEqual(key)
})
