import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Provider } from 'oidc-provider'
import { atEnd } from './at-end.ts'

/** The claims of a person at the provider. */
export type ProviderPerson = { sub: string; email?: string; email_verified?: boolean }

/** What replaces parts of the provider's ID tokens. A claim that is undefined is left out. */
export type Forgery = {
  claims?: Record<string, unknown>
  /** Signs with a key that the provider does not publish, with the client secret, or not at all. */
  signature?: 'other key' | 'HS256' | 'none'
}

export const client = { id: 'skein', secret: 'secret-of-skein-at-the-provider' }

// All providers of a process have the same keys, because a new key takes half a second of processor time.
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const keys = { privateKey: newKey(), otherKey: newKey() }

/**
 * Starts an OpenID Connect provider that stops after the file's tests. It authenticates everyone as `person`. `stop`
 * makes it unreachable.
 */
export async function startIdentityProvider(redirectURI: string) {
  let listener: RequestListener = () => {}
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, ProviderPerson>()
  const state = {
    issuer,
    person: { sub: 'nobody' } as ProviderPerson,
    /** Changes the ID tokens, if it is set. */
    forgery: undefined as Forgery | undefined,
    /** The status that the provider answers at these paths, without a body. */
    failing: {} as Record<string, number>,
    /** Whether the provider closes a kept connection that requests the claims of the person. */
    closesKeptConnections: false,
  }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectURI] }],
    jwks: { keys: [{ ...keys.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
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
  const known = new WeakSet<Socket>()
  listener = (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    if (state.closesKeptConnections && path === '/me' && known.has(request.socket))
      return void request.socket.destroy()
    known.add(request.socket)
    const failure = state.failing[path]
    if (failure !== undefined) return void response.writeHead(failure).end()
    if (path === '/token' && state.forgery) forgeTokens(response, state.forgery)
    if (!path.startsWith('/sign-in')) return void callback(request, response)
    people.set(state.person.sub, state.person)
    void provider.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  }
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  atEnd(stop)
  return Object.assign(state, { stop })
}

/** Replaces the ID token in the JSON that the provider is about to send. */
function forgeTokens(response: ServerResponse, { claims, signature }: Forgery): void {
  const end = response.end.bind(response)
  response.end = ((body: string) => {
    const tokens = JSON.parse(body)
    const [header, payload] = String(tokens.id_token)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString())
    const alg = signature === 'HS256' || signature === 'none' ? signature : 'RS256'
    const signed = [
      { ...JSON.parse(header ?? ''), alg },
      { ...JSON.parse(payload ?? ''), ...claims },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const key = signature === 'other key' ? keys.otherKey : keys.privateKey
    const proof = {
      RS256: () => sign('sha256', Buffer.from(signed), key).toString('base64url'),
      HS256: () => createHmac('sha256', client.secret).update(signed).digest('base64url'),
      none: () => '',
    }[alg]()
    const forged = JSON.stringify({ ...tokens, id_token: `${signed}.${proof}` })
    response.setHeader('content-length', Buffer.byteLength(forged))
    return end(forged)
  }) as typeof response.end
}

/** Opens a URL of the provider, by default in a new browser. Returns the URL to which it sends the browser back. */
export async function visitProvider(
  start: string,
  until: string,
  jar = new Map<string, string>(),
): Promise<string> {
  let url = start
  for (let redirects = 0; redirects < 10; redirects += 1) {
    if (url.startsWith(until)) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    // The service must not find kept connections of this browser in the pool of the process.
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie, connection: 'close' } })
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
