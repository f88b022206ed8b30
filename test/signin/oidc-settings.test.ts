import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { client, startIdentityProvider, visitProvider } from '../support/identity-provider.ts'
import { startService } from '../support/service.ts'

const callback = 'http://localhost:3000/signin/oidc/callback'

/** Starts a server that answers every request with a status and a body. Returns its URL. */
async function startServer(status: number, bodyOf: (url: string) => object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(bodyOf(url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

const serviceWith = (issuer: string, secret = client.secret) =>
  startService({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: secret,
    OIDC_LABEL: 'Example',
  })

test.each([
  ['/app/skein', '/app/skein/'],
  ['/app/skein/', '/app/skein'],
])('a provider with another issuer is in the log at the start and on the page: %s instead of %s', async (set, own) => {
  const url = await startServer(200, (url) => ({
    issuer: `${url}${own}`,
    authorization_endpoint: `${url}/a`,
  }))
  const service = await serviceWith(`${url}${set}`)
  await service.app.ready()
  const sentence = `Example has the issuer ${url}${own}, but OIDC_ISSUER is ${url}${set}. The operator`
  await expect.poll(() => service.log.join('')).toContain(sentence)
  const page = await service.app.inject('/signin/oidc')
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, undefined])
  expect(page.body).toContain(sentence)
})

test.each([
  ['a server that knows no OpenID Connect', 404],
  ['a document without an issuer', 200],
])('%s is not reported as unreachable', async (_what, status) => {
  const url = await startServer(status, () => ({}))
  const page = await (await serviceWith(url)).app.inject('/signin/oidc')
  expect(page.statusCode).toBe(503)
  expect(page.body).toContain('Example did not respond with the configuration of an OpenID Connect provider')
  expect(page.body).toContain(`must check OIDC_ISSUER, which is ${url}`)
})

test('a wrong client secret is not reported as a cancelled sign-in', async () => {
  const provider = await startIdentityProvider(callback)
  const { app } = await serviceWith(provider.issuer, 'another secret')
  const begun = await app.inject('/signin/oidc')
  const cookie = begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const back = await visitProvider(String(begun.headers.location), callback)
  const page = await app.inject({ url: back.slice('http://localhost:3000'.length), headers: { cookie } })
  expect(page.statusCode).toBe(503)
  expect(page.body).toContain('must check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
})

test('a provider that cannot be reached is in the log, and the service starts', async () => {
  const service = await serviceWith('http://127.0.0.1:1')
  expect((await service.app.inject('/signin')).statusCode).toBe(200)
  await expect.poll(() => service.log.join('')).toContain('Example cannot be reached')
})

test('a mail server that cannot be used is in the log at the start', async () => {
  const service = await startService({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'skein@example.com' })
  expect((await service.app.inject('/signin')).statusCode).toBe(200)
  await expect.poll(() => service.log.join('')).toContain('mail cannot be sent yet')
})
