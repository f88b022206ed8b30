import { expect, test } from 'vitest'
import { fieldName } from '../../src/console/relay/field-name.ts'

test('a problem uses the same name for a field as the page', () => {
  expect(fieldName('thread.recipientIDs.0')).toBe('recipients')
  expect(fieldName('redirectURIs.0')).toBe('redirect URIs')
  expect(fieldName('url')).toBe('URL')
  expect(fieldName('avatarURL')).toBe('picture URL')
})
