import { type Answer, type CallOptions, exchange, failureIn, orAborted, repeat } from './http.ts'
import type { Pace } from './pace.ts'

/** What an app signs in with, for one workspace. `data/starter.json` has one under the same names. */
export type Credentials = {
  workspaceID: string
  clientID: string
  clientSecret: string
  /** A redirect URL registered for the app, letter for letter. */
  redirectURI: string
}

export type Token = { value: string; renewAt: number }

/** A token is renewed a tenth of its lifetime before it ends, and at most a minute before. */
const marginMs = 60_000

/** The access token, asked for when it is needed: once for all who need it at the same time. */
export class Tokens {
  readonly #request: () => Promise<Token>
  #token: Token | undefined
  #asking: Promise<Token> | undefined

  constructor(request: () => Promise<Token>) {
    this.#request = request
  }

  /** A token that is good for a while. An abort ends the waiting, not the request that others wait for too. */
  async get(signal?: AbortSignal): Promise<Token> {
    if (this.#token && Date.now() < this.#token.renewAt) return this.#token
    this.#asking ??= this.#ask()
    return orAborted(this.#asking, signal)
  }

  /** Forgets a token that was refused; one that has come since stays. */
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

/** Asks for a token by client credentials (RFC 6749 4.4). Throws SkeinError. */
export async function requestToken(
  pace: Pace,
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
  return repeat(
    async (signal) => {
      const askedAt = Date.now()
      const answer = await exchange(pace.fetch, `${baseURL}/oauth/token`, { method: 'POST', body, signal })
      const { access_token, expires_in } = grantedBy(answer)
      const lifetimeMs = expires_in * 1000
      return { value: access_token, renewAt: askedAt + lifetimeMs - Math.min(marginMs, lifetimeMs / 10) }
    },
    { ...options, isRepeatable: true, pace },
  )
}

type Granted = { access_token: string; expires_in: number }
/** RFC 6749 5.2. */
type Refused = { error: string; error_description: string }

function grantedBy(answer: Answer): Granted {
  const { access_token, expires_in, ...refused } = { ...(answer.body as Partial<Granted & Refused>) }
  if (answer.ok && access_token && expires_in) return { access_token, expires_in }
  throw failureIn(answer, { code: refused.error, message: refused.error_description })
}
