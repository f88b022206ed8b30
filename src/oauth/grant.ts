import type { GrantTokens, Refusal } from '../apps/grants/issue-tokens.ts'
import type { Client } from '../apps/tokens/authenticate-client.ts'
import type { Unidentified } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { OAuthError } from './errors.ts'
import type { Parameters } from './form.ts'

/** The response to a token request (RFC 6749 5.1). `user_id` is the user that the token acts as. */
export type TokenResponse = {
  user_id: string
  workspace_id?: string
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope?: string
}

export type GrantContext = Unidentified & Pick<Context, 'config'>

/** Before `issue` runs, the client is authenticated and the required parameters are present. */
export type Grant = {
  type: string
  required: readonly string[]
  /** Whether apps without a secret can use the grant. */
  isForPublicClients: boolean
  issue(context: GrantContext, client: Client, form: Parameters): Promise<TokenResponse>
}

export function grantResponse(result: GrantTokens | Refusal, ttlSeconds: number): TokenResponse {
  if ('error' in result) throw new OAuthError(result.error, result.message)
  return {
    user_id: result.userID,
    workspace_id: result.workspaceID,
    access_token: result.accessToken,
    token_type: 'Bearer',
    expires_in: ttlSeconds,
    refresh_token: result.refreshToken,
    scope: result.scopes.join(' '),
  }
}
