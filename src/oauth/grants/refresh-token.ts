import { refreshTokens } from '../../apps/grants/refresh-tokens.ts'
import { readScopes, required } from '../form.ts'
import { type Grant, grantResponse } from '../grant.ts'

/** Exchanges a refresh token for new tokens (RFC 6749 6). */
export const refreshToken: Grant = {
  type: 'refresh_token',
  required: ['refresh_token'],
  isForPublicClients: true,
  async issue({ db, config: { tokenTTLSeconds: ttlSeconds } }, client, form) {
    const result = await refreshTokens(db, {
      appID: client.id,
      refreshToken: required(form, 'refresh_token'),
      scopes: readScopes(form.scope),
      ttlSeconds,
    })
    return grantResponse(result, ttlSeconds)
  },
}
