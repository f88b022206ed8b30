import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startService } from './support/service.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const embedded = await startService()
const secrets = { DATABASE_URL: 'postgres://me:secret-password@host/name', OPERATOR_TOKEN: 'o'.repeat(40) }

test('GET /health/version returns the version and the kind of database, but no secrets', async () => {
  const answer = await embedded.app.inject('/health/version')
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      name: 'skein',
      version: manifest.version,
      commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{40}(-dirty)?$/.test(commit)),
      node: process.versions.node,
      database: 'embedded',
      address: '127.0.0.1',
    },
  ])
  const onServer = await startService(secrets)
  const other = await onServer.app.inject('/health/version')
  expect(other.json()).toMatchObject({ database: 'postgresql' })
  expect(other.body).not.toMatch(/secret-password|host|oooo/)
})

test('POST /health/version returns 405', async () => {
  const answer = await embedded.app.inject({ method: 'POST', url: '/health/version' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
})
