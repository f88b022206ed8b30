import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codesOf, startService } from '../support/service.ts'

const service = await startService()
const { db } = service.contextOf({ kind: 'operator' })
const fields = 'token operatorToken { id name createdAt expiresAt lastUsedAt }'

type Sent = { query: string; variables?: object }
const send = (token: string, payload: Sent, url = '/operator/graphql') =>
  service.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` }, payload })
const create = async (input: object, token = service.config.operatorToken) => {
  const query = `mutation ($input: CreateOperatorTokenInput!) { createOperatorToken(input: $input) { ${fields} } }`
  return (await send(token, { query, variables: { input } })).json()
}
const revoke = async (name: string, token = service.config.operatorToken) => {
  const query =
    'mutation ($input: RevokeOperatorTokenInput!) { revokeOperatorToken(input: $input) { operatorToken { name } } }'
  return (await send(token, { query, variables: { input: { name } } })).json()
}
const statusOf = async (token: string) => (await send(token, { query: '{ __typename }' })).statusCode

let number = 0
async function newToken(input: object = {}) {
  number += 1
  const name = `Operator ${number}`
  const { data } = await create({ name, ...input })
  return { name, ...data.createOperatorToken } as {
    name: string
    token: string
    operatorToken: { id: string }
  }
}

describe('a named operator token', () => {
  test('works on both endpoints, and the log has its name', async () => {
    const { name, token } = await newToken()
    expect(token).toMatch(/^skop_[\w-]{43}$/)
    expect(await statusOf(token)).toBe(200)
    expect(
      (await send(token, { query: '{ workspaces { nodes { id } } }' }, '/public/graphql')).json().errors,
    ).toBe(undefined)
    await expect.poll(() => service.log.filter((line) => JSON.parse(line).operator === name)).toHaveLength(2)
  })

  test('is listed with the time of its last use, and its secret is neither stored nor logged', async () => {
    const { name, token, operatorToken } = await newToken({ expiresInDays: 7 })
    await statusOf(token)
    const query = '{ operatorTokens { id name createdAt expiresAt lastUsedAt } }'
    const { operatorTokens } = (await send(token, { query })).json().data
    expect(operatorTokens.find((each: { name: string }) => each.name === name)).toEqual({
      ...operatorToken,
      lastUsedAt: expect.any(String),
    })
    const stored = await db.operatorToken.findUniqueOrThrow({ where: { id: operatorToken.id } })
    expect(Buffer.from(stored.tokenHash)).toEqual(createHash('sha256').update(token).digest())
    expect(JSON.stringify([stored, service.log])).not.toContain(token)
  })

  test('is refused in the next request if it is revoked or has expired', async () => {
    const [revoked, expired] = [await newToken(), await newToken({ expiresInDays: 1 })]
    expect([await statusOf(revoked.token), await statusOf(expired.token)]).toEqual([200, 200])
    expect((await revoke(revoked.name)).data.revokeOperatorToken.operatorToken.name).toBe(revoked.name)
    await db.operatorToken.update({ where: { name: expired.name }, data: { expiresAt: new Date(0) } })
    expect([await statusOf(revoked.token), await statusOf(expired.token)]).toEqual([401, 401])
    expect(codesOf(await create({ name: expired.name }))).toEqual([])
  })
})

test('each of many concurrent requests is checked with its own token', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => newToken()))
  const tokens = made.flatMap(({ token }) => [token, `${token.slice(0, -8)}xxxxxxxx`])
  const calls = Array.from({ length: 10 }, () => tokens).flat()
  const statuses = await Promise.all(calls.map(statusOf))
  expect(statuses).toEqual(calls.map((_token, n) => (n % 2 === 0 ? 200 : 401)))
  const logged = () => service.log.map((line) => JSON.parse(line).operator)
  for (const { name } of made)
    await expect.poll(() => logged().filter((each) => each === name)).toHaveLength(10)
})

describe('createOperatorToken', () => {
  test('is refused with a named token', async () => {
    const { token } = await newToken()
    expect(codesOf(await create({ name: 'Another' }, token))).toEqual(['FORBIDDEN'])
  })

  test('succeeds for only one of a hundred concurrent calls with the same name', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => create({ name: 'Same' })))
    expect(answers.flatMap(codesOf)).toEqual(Array.from({ length: 99 }, () => 'INVALID_INPUT'))
  })

  test.each([
    { name: '' },
    { name: 'default' },
    { name: 'x', expiresInDays: 0 },
    { name: 'x', expiresInDays: 3661 },
  ])('refuses %j', async (input) => {
    expect(codesOf(await create(input))).toEqual(['INVALID_INPUT'])
  })
})

test('revokeOperatorToken returns NOT_FOUND for a name that does not exist', async () => {
  expect(codesOf(await revoke('Nobody'))).toEqual(['NOT_FOUND'])
  expect(codesOf(await revoke('default'))).toEqual(['NOT_FOUND'])
})

test('operator tokens are unknown at addresses that OPERATOR_ALLOWED_ADDRESSES does not have', async () => {
  const { app, config, log } = await startService({
    OPERATOR_ALLOWED_ADDRESSES: '10.0.0.0/8,2001:db8::1',
    TRUST_PROXY: '192.0.2.1',
  })
  const callFrom = async (remoteAddress: string, url: string, more = {}) => {
    const headers = { authorization: `Bearer ${config.operatorToken}`, ...more }
    const payload = { query: '{ __typename }' }
    return (await app.inject({ method: 'POST', url, headers, payload, remoteAddress })).statusCode
  }
  const forwarded = { 'x-forwarded-for': '10.9.9.9' }
  for (const url of ['/operator/graphql', '/public/graphql']) {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1'])
      expect(await callFrom(address, url)).toBe(200)
    expect(await callFrom('192.0.2.1', url, forwarded)).toBe(200)
    expect(await callFrom('127.0.0.1', url)).toBe(401)
    expect(await callFrom('127.0.0.1', url, forwarded)).toBe(401)
  }
  const refusals = log
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.includes('address is not allowed'))
  expect(refusals).toHaveLength(4)
  expect(refusals[0]).toMatchObject({ level: 40, address: '127.0.0.1', tokenName: 'default' })
})
