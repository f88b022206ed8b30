import { findGrantableApp, type GrantableApp } from '../../apps/grants/grantable.ts'
import { isRegistered } from '../../apps/redirect-uris.ts'
import type { Database } from '../../database/database.ts'
import { invalidField } from '../../errors.ts'
import { defaultScopes, parseScopes, type Scope, scopes } from '../../scopes.ts'

/** A valid authorization request (RFC 6749 4.1.1), for a redirect URI that is registered. */
export type AuthorizationRequest = {
  app: GrantableApp
  redirectURI: string
  state: string | undefined
  scopes: readonly Scope[]
  actsAsUser: boolean
  codeChallenge: string | undefined
}

/** The parameters of a request, which the consent form repeats. */
export type AuthorizationParameters = Readonly<Record<string, string>>

const names = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'act_as',
]
const maxStateLength = 2000

/** A mistake in a request. A redirect reports it to the app (RFC 6749 4.1.2.1). */
export class AuthorizationError {
  readonly code: string
  readonly message: string
  readonly target: RedirectTarget

  constructor(code: string, description: string, target: RedirectTarget) {
    this.code = code
    this.message = description
    this.target = target
  }
}

export type RedirectTarget = Pick<AuthorizationRequest, 'redirectURI' | 'state'>

/** Returns the parameters of a query or form. `repeated` names a repeated parameter, which RFC 6749 3.1 forbids. */
export function parametersOf(values: unknown): AuthorizationParameters {
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!names.includes(name) || value === '') continue
    if (typeof value === 'string') parameters[name] = value
    else if (name === 'client_id' || name === 'redirect_uri')
      throw invalidField(name, 'is given more than once')
    else parameters.repeated = name
  }
  return parameters
}

/** Checks a request. Throws if the app or redirect URI is unknown, because the browser must not be redirected then. */
export async function readAuthorization(
  db: Database,
  parameters: AuthorizationParameters,
): Promise<AuthorizationRequest | AuthorizationError> {
  const { client_id: clientID, redirect_uri: redirectURI, state } = parameters
  if (clientID === undefined) throw invalidField('client_id', 'is required')
  const app = await findGrantableApp(db, clientID)
  if (!app) throw invalidField('client_id', 'is not the ID of an app')
  if (redirectURI === undefined) throw invalidField('redirect_uri', 'is required')
  if (!isRegistered(redirectURI, app.redirectURIs))
    throw invalidField('redirect_uri', 'is not registered for this app')
  const target = { redirectURI, state }
  const problem = problemOf(parameters, app)
  if (problem) return new AuthorizationError(problem[0], problem[1], target)
  const requested = parameters.scope === undefined ? defaultScopes : parseScopes(parameters.scope)
  if (!requested)
    return new AuthorizationError('invalid_scope', `Valid scopes are ${scopes.join(', ')}.`, target)
  const { code_challenge: codeChallenge, act_as: actAs } = parameters
  return { app, ...target, scopes: requested, actsAsUser: actAs === 'user', codeChallenge }
}

function problemOf(
  {
    repeated,
    response_type,
    response_mode,
    state = '',
    code_challenge,
    code_challenge_method,
    act_as,
  }: AuthorizationParameters,
  { secretHash }: GrantableApp,
): [code: string, description: string] | undefined {
  if (repeated !== undefined) return ['invalid_request', `The parameter ${repeated} is given more than once.`]
  if (response_type === undefined) return ['invalid_request', 'The parameter response_type is missing.']
  if (response_type !== 'code') return ['unsupported_response_type', 'The response_type must be code.']
  if (response_mode !== undefined && response_mode !== 'query')
    return ['invalid_request', 'The response_mode must be query.']
  if (state.length > maxStateLength)
    return ['invalid_request', `The state must have at most ${maxStateLength} characters.`]
  // Browsers change line breaks in forms. The app would get a different state than it sent.
  if (/\p{Cc}/u.test(state)) return ['invalid_request', 'The state must have no control characters.']
  if (act_as !== undefined && act_as !== 'user' && act_as !== 'app')
    return ['invalid_request', 'The parameter act_as must be app or user.']
  if (code_challenge === undefined) {
    if (code_challenge_method !== undefined)
      return ['invalid_request', 'The parameter code_challenge is missing.']
    return secretHash === null
      ? ['invalid_request', 'An app without a secret must send a code_challenge (RFC 7636).']
      : undefined
  }
  if (code_challenge_method !== 'S256') return ['invalid_request', 'The code_challenge_method must be S256.']
  if (!/^[\w-]{43}$/.test(code_challenge))
    return ['invalid_request', 'The code_challenge must be a SHA-256 in base64url, 43 characters.']
  return undefined
}
