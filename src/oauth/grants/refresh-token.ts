import { refreshTokens } from '../../apps/grants/refresh-tokens.ts'
import { readScopes, required } from '../form.ts'
import { type Grant, grantResponse } from '../grant.ts'

/** Exchanges a refresh token for new tokens (RFC 6749 6). */
export const refreshToken: Grant = {
  type: 'refresh_token',
  required: ['refresh_token'],
  isForPublicClients: true,
  async issue(ctx, client, form) {
    const { tokenTTLSeconds: ttlSeconds } = ctx.config
    const result = await refreshTokens(ctx, {
      appID: client.id,
      refreshToken: required(form, 'refresh_token'),
      scopes: readScopes(form.scope),
      ttlSeconds,
    })
    return grantResponse(result, ttlSeconds)
  },
}
