import type { GrantTokens, Refusal } from '../../apps/grants/issue-tokens.ts'
import { OAuthError } from '../errors.ts'
import type { TokenResponse } from '../grant.ts'

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
