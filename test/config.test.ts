import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { environment, readConfig } from '../src/config.ts'

describe('.env.example', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n')
  const example = Object.fromEntries(
    lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/).slice(0, 2)),
  )

  test('lists every variable and no other', () => {
    expect(Object.keys(example).sort()).toEqual(Object.keys(environment.shape).sort())
  })

  test('contains the default values', () => {
    expect(readConfig(example)).toEqual(readConfig({}))
  })
})

test('the error names all invalid variables at once, but not their values', () => {
  const env = {
    PORT: '70000',
    TRUST_PROXY: 'proxy',
    BASE_URL: 'ftp://secret',
    MENTION_SCHEMES: 'javascript',
    MAX_ATTACHMENTS: '11',
  }
  const read = () => readConfig(env)
  for (const name of Object.keys(env)) expect(read).toThrow(name)
  expect(read).not.toThrow('secret')
})

test('S3 storage requires a bucket, and both keys or neither', () => {
  expect(readConfig({}).s3).toBeUndefined()
  expect(() => readConfig({ S3_ENDPOINT: 'http://localhost:9000' })).toThrow('S3_BUCKET')
  expect(() => readConfig({ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k' })).toThrow('S3_SECRET_ACCESS_KEY')
  const given = {
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
    S3_FORCE_PATH_STYLE: 'on',
  }
  expect(readConfig(given).s3).toEqual({
    bucket: 'b',
    endpoint: undefined,
    region: 'us-east-1',
    credentials: { accessKeyId: 'k', secretAccessKey: 's' },
    forcePathStyle: true,
  })
})

const oidc = { OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'c' }

test.each<[string, Record<string, string>, string]>([
  ['a path', { BASE_URL: 'https://a.example/skein' }, 'BASE_URL must not have a path'],
  ['a user name', { BASE_URL: 'https://ada:secret@a.example' }, 'BASE_URL must not have a user name'],
  ['the port 0', { WEBHOOK_BASE_URL: 'https://a.example:0' }, 'WEBHOOK_BASE_URL must not have the port 0'],
  ['no host', { S3_BUCKET: 'b', S3_ENDPOINT: 'https:a.example' }, 'S3_ENDPOINT must be an absolute'],
  ['a trailing space', { BASE_URL: 'https://a.example ' }, 'BASE_URL must be an absolute'],
  ['no host', { OIDC_ISSUER: 'https:a.example', OIDC_CLIENT_ID: 'c' }, 'OIDC_ISSUER must be an absolute'],
  ['plain http', { OIDC_ISSUER: 'http://a.example', OIDC_CLIENT_ID: 'c' }, 'OIDC_ISSUER must be an https'],
  ['the port 0', { REDIS_URL: 'redis://a.example:0' }, 'REDIS_URL must not have the port 0'],
  ['a path that is not a number', { REDIS_URL: 'redis://a.example/cache' }, 'REDIS_URL must have no path'],
  ['a path', { SMTP_URL: 'smtp://a.example/x', MAIL_FROM: 'a@b.c' }, 'SMTP_URL must not have a path'],
  ['parameters of Prisma', { DATABASE_URL: 'postgres://a/b?schema=c' }, 'DATABASE_URL must not have'],
  ['no address', { SMTP_URL: 'smtp://a.example', MAIL_FROM: 'Skein' }, 'MAIL_FROM must be an email address'],
  ['no domain', { SMTP_URL: 'smtp://a.example', MAIL_FROM: 'S <a@b..com>' }, 'MAIL_FROM must be an email'],
  ['a fragment', { SMTP_URL: 'smtp://a.example#x', MAIL_FROM: 'a@b.c' }, 'SMTP_URL must not have a fragment'],
  ['a fragment', { REDIS_URL: 'redis://a.example#x' }, 'REDIS_URL must not have a fragment'],
  ['a fragment', { DATABASE_URL: 'postgres://a.example/b#x' }, 'DATABASE_URL must not have a fragment'],
  ['the port 0', { DATABASE_URL: 'postgres://a.example:0/b' }, 'DATABASE_URL must not have the port 0'],
  ['an empty user name', { BASE_URL: 'http://@localhost' }, 'BASE_URL must not have a user name'],
  [
    'an empty user name',
    { WEBHOOK_BASE_URL: 'https://:@a.example' },
    'WEBHOOK_BASE_URL must not have a user',
  ],
  [
    'a wildcard',
    { CORS_ORIGINS: 'https://*.a.example' },
    'CORS_ORIGINS must be *, or a comma-separated list',
  ],
  ['an empty label', { ...oidc, OIDC_ALLOWED_DOMAINS: '.a.example' }, 'OIDC_ALLOWED_DOMAINS must be'],
  ['capital letters', { S3_BUCKET: 'Uploads' }, 'S3_BUCKET must be the name of a bucket'],
  ['a slash', { S3_BUCKET: 'uploads/skein' }, 'S3_BUCKET must be the name of a bucket'],
])('a value with %s is refused, with the reason: %j', (_what, env, problem) => {
  expect(() => readConfig(env)).toThrow(problem)
  expect(() => readConfig(env)).not.toThrow('secret')
})

describe.each([
  'OIDC_ALLOWED_DOMAINS',
  'EVENT_ALLOW_PRIVATE_ADDRESSES',
  'CORS_ORIGINS',
  'TRUST_PROXY',
  'MENTION_SCHEMES',
])('%s', (name) => {
  test.each([',', ',,', ' ', ', ,'])('is refused if it is %j, which has no entry', (value) => {
    expect(() => readConfig({ ...oidc, [name]: value })).toThrow(`${name} must have at least one entry`)
  })
})

test.each([
  '10.1.2.3:0',
  '10.1.2.3:65536',
  '10.1.2.3:',
  '10.1.2.3:http',
  '10.0.0.0/33:80',
  '[10.1.2.3]:80',
  '[fd00::1]',
  '[fd00::1]:0',
  '[fd00::1]/8:80',
  'receiver.example:80',
])('EVENT_ALLOW_PRIVATE_ADDRESSES is refused if an entry is %s', (entry) => {
  const value = `10.0.0.0/8,${entry}`
  const problem =
    'EVENT_ALLOW_PRIVATE_ADDRESSES must be a comma-separated list of addresses and networks, each with'
  expect(() => readConfig({ EVENT_ALLOW_PRIVATE_ADDRESSES: value })).toThrow(problem)
})

test('EVENT_ALLOW_PRIVATE_ADDRESSES can have networks with ports', () => {
  const eventNetworks = [
    '10.0.0.0/8',
    '10.1.2.3:80',
    '10.0.0.0/8:65535',
    'fd00::1:80/128',
    'fd00::1:a',
    'fd00:0:0:0:0:0:0:80',
    '::1',
    '[fd00::1]:80',
    '[fd00::/8]:1',
  ]
  expect(readConfig({ EVENT_ALLOW_PRIVATE_ADDRESSES: eventNetworks.join(', ') })).toMatchObject({
    eventNetworks,
  })
})

test.each([
  ['::1:8080', '[::1]:8080 or ::1:8080/128'],
  ['fd00::1:80', '[fd00::1]:80 or fd00::1:80/128'],
])('EVENT_ALLOW_PRIVATE_ADDRESSES is refused if an entry is %s, which looks like one with a port', (entry, ways) => {
  expect(() => readConfig({ EVENT_ALLOW_PRIVATE_ADDRESSES: `10.0.0.0/8,${entry}` })).toThrow(
    `EVENT_ALLOW_PRIVATE_ADDRESSES has the entry ${entry}, which is an address, but looks like one with a port. Write ${ways}`,
  )
})

test('a list can end with a comma', () => {
  const lists = { CORS_ORIGINS: 'https://a.example, ', TRUST_PROXY: '::1,', MENTION_SCHEMES: 'skein,' }
  const { corsOrigins, trustProxy, mentionSchemes } = readConfig(lists)
  expect({ corsOrigins, trustProxy, mentionSchemes }).toEqual({
    corsOrigins: ['https://a.example'],
    trustProxy: ['::1'],
    mentionSchemes: ['skein'],
  })
})

test.each([
  ['REDIS_URL', 'redis://:password@a.example:6379/3', 'redisURL'],
  ['DATABASE_URL', 'postgres://a@b.example/c?sslmode=verify-full', 'databaseURL'],
  ['WEBHOOK_BASE_URL', 'https://a.example/hooks', 'webhookBaseURL'],
] as const)('%s can be %s', (name, value, setting) => {
  expect(readConfig({ [name]: value })[setting]).toBe(value)
})

test('MAIL_FROM can be an address with a name', () => {
  const mail = { SMTP_URL: 'smtps://a:b@c.example?pool=true', MAIL_FROM: 'Skein, Inc <skein@example.com>' }
  expect(readConfig(mail).smtp).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM })
})

test.each([
  ['S3_ACCESS_KEY_ID', 'S3_BUCKET'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_LABEL', 'OIDC_ISSUER'],
  ['OIDC_ALLOWED_DOMAINS', 'OIDC_ISSUER'],
])('%s is refused without %s, because it would have no effect', (name, required) => {
  expect(() => readConfig({ [name]: 'example.com' })).toThrow(`${required} must be set if ${name} is set`)
})

test('an empty variable is treated as unset', () => {
  expect(readConfig({ PORT: '' }).port).toBe(3000)
})

test('the base URLs default to the address that the service listens on', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '81' }).baseURL).toBe('http://localhost:81')
  expect(readConfig({ HOST: 'skein.example.com' }).baseURL).toBe('http://skein.example.com:3000')
  expect(readConfig({ HOST: 'localhost' })).toMatchObject({
    host: '127.0.0.1',
    baseURL: 'http://localhost:3000',
  })
  const shown = readConfig({ BASE_URL: 'https://a.example/', WEBHOOK_BASE_URL: 'https://b.example' })
  expect([shown.baseURL, shown.webhookBaseURL]).toEqual(['https://a.example', 'https://b.example'])
  expect(readConfig({ BASE_URL: 'https://a.example' }).webhookBaseURL).toBe('https://a.example')
})

test.each([
  ['off', false],
  ['on', true],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s is parsed', (value, trusted) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(trusted)
})
