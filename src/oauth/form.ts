import { parse } from 'node:querystring'
import { isDecodable } from '../http/bodies/percent-encoding.ts'
import { parseScopes, type Scope, scopes } from '../scopes.ts'
import { OAuthError } from './errors.ts'

export type Parameters = Readonly<Record<string, string>>

/** Parses a form. Rejects percent-encoding that is malformed or not UTF-8, because it would decode to another value. */
export function parseForm(text: string): Record<string, unknown> {
  if (!isDecodable(text))
    throw new OAuthError('invalid_request', 'The percent-encoding of the form is malformed or not UTF-8.')
  return parse(text)
}

/** Returns the parameters of a form. An empty parameter counts as absent. Throws for a repeated name (RFC 6749 3.2). */
export function readForm(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null) {
    throw new OAuthError('invalid_request', 'The body must be a form (application/x-www-form-urlencoded).')
  }
  const form: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string')
      throw new OAuthError('invalid_request', 'A parameter is given more than once.')
    if (value !== '') form[name] = value
  }
  return form
}

export function required(form: Parameters, name: string): string {
  const value = form[name]
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

export function readScopes(scope: string | undefined): Scope[] | undefined {
  if (scope === undefined) return undefined
  const names = parseScopes(scope)
  if (!names)
    throw new OAuthError('invalid_scope', `The scope is not valid. Valid scopes are ${scopes.join(', ')}.`)
  return names
}
