import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll } from 'vitest'

/** The claims of a person at the provider. */
export type ProviderPerson = { sub: string; email?: string; email_verified?: boolean }

export const client = { id: 'skein', secret: 'secret-of-skein-at-the-provider' }

/**
 * Starts an OpenID Connect provider that stops after the file's tests. It authenticates everyone as `person`. `stop`
 * makes it unreachable.
 */
export async function startIdentityProvider(redirectURI: string) {
  let listener: RequestListener = () => {}
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const people = new Map<string, ProviderPerson>()
  const state = { issuer, person: { sub: 'nobody' } as ProviderPerson }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectURI] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/sign-in' },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    loadExistingGrant: async ({ oidc }) => {
      const { clientId } = oidc.client ?? {}
      const { accountId } = oidc.session ?? {}
      const grant = new oidc.provider.Grant({
        ...(clientId && { clientId }),
        ...(accountId && { accountId }),
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  listener = (request, response) => {
    if (!request.url?.startsWith('/sign-in')) return void callback(request, response)
    people.set(state.person.sub, state.person)
    void provider.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  }
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  afterAll(stop)
  return Object.assign(state, { stop })
}

/** Opens a URL of the provider in a new browser. Returns the URL to which the provider sends the browser back. */
export async function visitProvider(start: string, until: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let redirects = 0; redirects < 10; redirects += 1) {
    if (url.startsWith(until)) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url).href
  }
  throw new Error('The provider redirected too often')
}
