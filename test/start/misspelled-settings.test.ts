import { expect, test } from 'vitest'
import { environment } from '../../src/config.ts'
import { misspelledSettings } from '../../src/start/settings/misspelled-settings.ts'

const settings = Object.keys(environment.shape)

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['OPERATOR_TOKENS', 'OPERATOR_TOKEN'],
  ['PROT', 'PORT'],
  ['HOSTS', 'HOST'],
])('%s is reported as a misspelling of %s', (name, setting) => {
  expect(misspelledSettings({ [name]: 'x' }, settings)).toEqual([`${name}: did you mean ${setting}?`])
})

test('variables of other programs are not reported', () => {
  const others = [
    'HOME',
    'PATH',
    'USER',
    'HOSTNAME',
    'LOGNAME',
    'SHELL',
    'TERM',
    'PWD',
    'LANG',
    'EDITOR',
    'MAIL',
  ]
  const more = [
    'AWS_REGION',
    'PGHOST',
    'PGPORT',
    'PGDATA',
    'NODE_ENV',
    'POSTGRES_PASSWORD',
    'TEST_DATABASE_URL',
  ]
  const env = Object.fromEntries([...others, ...more].map((name) => [name, 'x']))
  expect(misspelledSettings(env, settings)).toEqual([])
})

test('a variable is not reported if it is empty, or if the similar setting is set', () => {
  expect(misspelledSettings({ DATABASE_URI: '' }, settings)).toEqual([])
  expect(misspelledSettings({ DATABASE_URI: 'x', DATABASE_URL: 'y' }, settings)).toEqual([])
})
