import { expect, test } from 'vitest'
import { environment } from '../../src/config.ts'
import { shownSettings } from '../../src/start/settings/shown-settings.ts'

const names = Object.keys(environment.shape)
const secrets = [
  'OPERATOR_TOKEN',
  'OIDC_CLIENT_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]

test('the log shows the settings that were set, but no secret', () => {
  const env = { ...Object.fromEntries(names.map((name) => [name, 'value'])), PORT: '', OTHER: 'x' }
  const shown = shownSettings(env, names)
  const hidden = Object.keys(shown).filter((name) => shown[name] !== 'value')
  expect(hidden.toSorted()).toEqual(secrets.toSorted())
  expect(shown).not.toHaveProperty('OTHER')
  expect(shown).not.toHaveProperty('PORT')
})

test.each([
  ['postgres://skein:p@ss/word@db.example.com:5432/skein?password=x', 'postgres://db.example.com:5432/skein'],
  ['redis://:secret@127.0.0.1:6379/1', 'redis://127.0.0.1:6379/1'],
  ['https://skein.example.com', 'https://skein.example.com'],
])('the log shows no credentials of a URL', (value, expected) => {
  expect(shownSettings({ DATABASE_URL: value }, names)).toEqual({ DATABASE_URL: expected })
})
