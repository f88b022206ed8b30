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
