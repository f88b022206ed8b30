import { SkeinError } from '../errors.ts'
import { type CallOptions, exchange, failureIn, type HTTPResponse, orAborted, retry } from './http.ts'
import type { RateLimitState } from './rate-limit-state.ts'

/** The credentials of an app for one workspace. `data/starter.json` contains them under the same names. */
export type Credentials = {
  workspaceID: string
  clientID: string
  clientSecret: string
  /** A redirect URI that is registered for the app. It must match exactly. */
  redirectURI: string
}

export type Token = { value: string; renewAt: number }

/** The client renews a token when a tenth of its lifetime is left, but not earlier than a minute before it expires. */
const marginMs = 60_000

/** Requests the access token when it is needed. Simultaneous callers share one request. */
export class Tokens {
  readonly #request: () => Promise<Token>
  #token: Token | undefined
  #asking: Promise<Token> | undefined

  constructor(request: () => Promise<Token>) {
    this.#request = request
  }

  /** Returns a token that is not about to expire. An abort ends the wait, but not the shared request. */
  async get(signal?: AbortSignal): Promise<Token> {
    if (this.#token && Date.now() < this.#token.renewAt) return this.#token
    this.#asking ??= this.#ask()
    return orAborted(this.#asking, signal)
  }

  /** Runs a call. After a 401, which means that the service did not execute it, runs it once more with a new token. */
  async use<T>(call: (token: Token) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let isRenewed = false; ; isRenewed = true) {
      const token = await this.get(signal)
      try {
        return await call(token)
      } catch (error) {
        if (isRenewed || !(error instanceof SkeinError) || error.status !== 401) throw error
        this.forget(token)
      }
    }
  }

  /** Discards a token that was refused. A newer token is kept. */
  forget(token: Token): void {
    if (this.#token === token) this.#token = undefined
  }

  async #ask(): Promise<Token> {
    try {
      this.#token = await this.#request()
      return this.#token
    } finally {
      this.#asking = undefined
    }
  }
}

/** Requests a token with client credentials (RFC 6749 4.4). */
export async function requestToken(
  rateLimit: RateLimitState,
  baseURL: string,
  { workspaceID, clientID, clientSecret, redirectURI, ...options }: Credentials & CallOptions,
): Promise<Token> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    subject: workspaceID,
    redirect_uri: redirectURI,
    client_id: clientID,
    client_secret: clientSecret,
  })
  return retry(
    async (signal) => {
      const askedAt = Date.now()
      const response = await exchange(rateLimit.fetch, `${baseURL}/oauth/token`, {
        method: 'POST',
        body,
        signal,
      })
      const { access_token, expires_in } = tokenIn(response)
      const lifetimeMs = expires_in * 1000
      return { value: access_token, renewAt: askedAt + lifetimeMs - Math.min(marginMs, lifetimeMs / 10) }
    },
    { ...options, isRepeatable: true, rateLimit },
  )
}

type TokenResponse = { access_token: string; expires_in: number }
/** An error response (RFC 6749 5.2). */
type TokenErrorResponse = { error: string; error_description: string }

function tokenIn(response: HTTPResponse): TokenResponse {
  const body = { ...(response.body as Partial<TokenResponse & TokenErrorResponse>) }
  const { access_token, expires_in, error, error_description } = body
  if (response.ok && access_token && expires_in) return { access_token, expires_in }
  throw failureIn(response, { code: error, message: error_description })
}
