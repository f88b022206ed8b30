import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validSecretsOf } from '../../src/feeds/endpoints/secrets/endpoint-secrets.ts'
import { reencryptEventSecrets } from '../../src/feeds/endpoints/secrets/reencrypt-secrets.ts'
import { decrypt, encrypt } from '../../src/platform/secrets/encryption.ts'
import { testDatabase } from '../support/database.ts'
import { allowsLoopback } from '../support/event-receiver.ts'
import { makeWorld } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { makeEndpoint } from './event-endpoints.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const service = await startService(allowsLoopback)
const before = await startService({ ENCRYPTION_KEY: oldKey.toString('base64') }, await testDatabase())
const receiver = { url: 'https://receiver.example.com/hook' }

describe('encryption', () => {
  const keys = { current: newKey, previous: oldKey }

  test('can be undone only with the same context and a known key', () => {
    const bytes = encrypt('secret', 'end_1', { current: oldKey })
    expect(bytes.includes('secret')).toBe(false)
    expect(decrypt(bytes, 'end_1', keys)).toBe('secret')
    expect(() => decrypt(bytes, 'end_2', keys)).toThrow()
    expect(() => decrypt(bytes, 'end_1', { current: newKey })).toThrow()
    bytes[15] = (bytes[15] ?? 0) ^ 1
    expect(() => decrypt(bytes, 'end_1', keys)).toThrow()
  })

  test('returns a different result each time', () => {
    expect(encrypt('x', '', keys)).not.toEqual(encrypt('x', '', keys))
  })
})

test('the secret of an endpoint is stored encrypted, with a key that only the owner of the file can read', async () => {
  const { app, operator } = await makeWorld(service)
  const { id, secret } = await makeEndpoint(service, receiver, { appID: app.id })
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
  const row = await operator.db.eventEndpoint.findFirstOrThrow({ where: { id } })
  expect(Buffer.from(row.secret).includes(secret)).toBe(false)
  expect(validSecretsOf(service.config, { ...row, isPreviousSecretValid: true })).toEqual([secret])
  const path = join(service.dataDir, 'encryption-key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(service.log.join()).not.toContain((await readFile(path, 'utf8')).trim())
  expect(service.log.join()).not.toContain(secret)
})

test('the secret cannot be read again', async () => {
  const { app } = await makeWorld(service)
  const { id, secret } = await makeEndpoint(service, receiver, { appID: app.id })
  const fields = 'id url types groupID appID webhookID state failingSince createdAt previousSecretEndsAt'
  const answer = await service.graphql(operatorToken, `{ eventEndpoint(id: "${id}") { ${fields} } }`)
  expect(answer.data.eventEndpoint).toMatchObject({ id, appID: app.id, state: 'active' })
  expect(JSON.stringify(answer)).not.toContain(secret)
})

test('if two rotations happen at the same time, both new secrets are valid', async () => {
  const { app, operator } = await makeWorld(service)
  const { id } = await makeEndpoint(service, receiver, { appID: app.id })
  const rotate = () =>
    mutated(service, operatorToken, 'rotateEventEndpointSecret', { endpointID: id }, 'secret')
  const rotated = await Promise.all([rotate(), rotate()])
  const row = await operator.db.eventEndpoint.findFirstOrThrow({ where: { id } })
  expect(validSecretsOf(service.config, { ...row, isPreviousSecretValid: true }).sort()).toEqual(
    rotated.map(({ secret }) => secret).sort(),
  )
})

describe('reencryptEventSecrets', () => {
  test('makes the previous key unnecessary', async () => {
    const { app, operator } = await makeWorld(before)
    const { id, secret } = await makeEndpoint(before, receiver, { appID: app.id })
    const input = { endpointID: id }
    const rotated = await mutated(before, operatorToken, 'rotateEventEndpointSecret', input, 'secret')
    const both = [rotated.secret, secret]
    const read = async (config: typeof before.config) => {
      const row = await operator.db.eventEndpoint.findFirstOrThrow({ where: { id } })
      return validSecretsOf(config, { ...row, isPreviousSecretValid: true })
    }
    const only = { ...before.config, encryptionKey: newKey }
    const during = { ...only, previousEncryptionKey: oldKey }
    expect(await read(during)).toEqual(both)
    await expect(read(only)).rejects.toThrow()
    expect(await reencryptEventSecrets({ ...operator, config: only })).toEqual({
      endpointCount: 0,
      webhookCount: 0,
      failedCount: 1,
    })
    // This is the configuration after a restart with both keys.
    expect(await reencryptEventSecrets({ ...operator, config: during })).toEqual({
      endpointCount: 1,
      webhookCount: 0,
      failedCount: 0,
    })
    expect(await read(only)).toEqual(both)
  })

  test('is available only to the operator', async () => {
    await makeWorld(service)
    const document = 'mutation { reencryptEventSecrets { endpointCount failedCount } }'
    const { data } = await service.graphql(operatorToken, document)
    const endpointCount = await service.contextOf({ kind: 'operator' }).db.eventEndpoint.count()
    expect(data.reencryptEventSecrets).toEqual({ endpointCount, failedCount: 0 })
    const { app } = await makeWorld(service)
    const { errors } = await service.graphql(app.token, document)
    expect(errors?.[0]?.message).toBe('Cannot query field "reencryptEventSecrets" on type "Mutation".')
  })
})
