import { parseScopes, type Scope, scopes } from '../scopes.ts'
import { OAuthError } from './errors.ts'

export function readScopes(scope: string | undefined): Scope[] | undefined {
  if (scope === undefined) return undefined
  const names = parseScopes(scope)
  if (!names)
    throw new OAuthError('invalid_scope', `The scope is not valid. Valid scopes are ${scopes.join(', ')}.`)
  return names
}
