import { redeemCode } from '../../apps/grants/redeem-code.ts'
import { required } from '../form.ts'
import { type Grant, grantResponse } from '../grant.ts'

/** Exchanges the code of an authorization for tokens (RFC 6749 4.1.3). */
export const authorizationCode: Grant = {
  type: 'authorization_code',
  required: ['code', 'redirect_uri'],
  isForPublicClients: true,
  async issue(ctx, client, form) {
    const { tokenTTLSeconds: ttlSeconds } = ctx.config
    const result = await redeemCode(ctx, {
      appID: client.id,
      code: required(form, 'code'),
      redirectURI: required(form, 'redirect_uri'),
      codeVerifier: form.code_verifier,
      ttlSeconds,
    })
    return grantResponse(result, ttlSeconds)
  },
}
