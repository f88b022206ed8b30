import { afterEach, expect, test, vi } from 'vitest'
import { startProxy } from '../../support/proxy.ts'
import { makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const proxy = await startProxy(service)

const tokensAsked = () => proxy.seen('/oauth/token').length
const refusals = () => service.log.filter((line) => JSON.parse(line).status === 401)

afterEach(() => vi.useRealTimers())

test('an expired token is replaced before the next request, and is not sent', async () => {
  const { skein: first } = await makeClients(service, proxy)
  await first.me()
  const { skein } = await makeClients(service, proxy)
  const before = tokensAsked()
  await Promise.all([skein.me(), skein.me()])
  expect(tokensAsked()).toBe(before + 1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600 * 1000 })
  await Promise.all([skein.me(), skein.me()])
  expect(tokensAsked()).toBe(before + 2)
  expect(refusals()).toEqual([])
})

test('a token that lasts an hour is renewed in its last minute', async () => {
  const { skein } = await makeClients(service, proxy)
  const lasting = { access_token: 'a', token_type: 'Bearer', expires_in: 3600 }
  const answer = { status: 200, body: JSON.stringify(lasting) }
  const me = { status: 200, body: '{"data":{"me":{"id":"usr_"}}}' }
  proxy.next('/oauth/token', answer, answer)
  proxy.next('/public/graphql', me, me, me)
  const before = tokensAsked()
  const begun = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const [seconds, asked] of [
    [0, 1],
    [3538, 1],
    [3541, 2],
  ] as const) {
    vi.setSystemTime(begun + seconds * 1000)
    await skein.me()
    expect(tokensAsked()).toBe(before + asked)
  }
})
