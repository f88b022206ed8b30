import { hash, timingSafeEqual } from 'node:crypto'
import type { Unidentified } from '../../audit/record.ts'
import { inTransaction } from '../../database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import { endGrantOfApp } from './end-grant.ts'
import {
  type GrantTokens,
  issueTokens,
  lockGrant,
  type Refusal,
  refreshTokenPrefix,
  scopesOf,
} from './issue-tokens.ts'

export type CodeRequest = {
  appID: string
  code: string
  redirectURI: string
  codeVerifier: string | undefined
  ttlSeconds: number
}

/** Exchanges a code for tokens (RFC 6749 4.1.3, RFC 7636 4.6). Only one of several concurrent calls gets tokens. */
export function redeemCode(ctx: Unidentified, request: CodeRequest): Promise<GrantTokens | Refusal> {
  return inTransaction(ctx.db, async (tx) => {
    const grant = await lockGrant(tx, request.appID, Prisma.sql`g.code_hash = ${hashSecret(request.code)}`)
    if (!grant)
      return refusal('The code is invalid or has expired. Send the person to /oauth/authorize again.')
    // An app sends each code only once. Therefore a second use means that somebody stole the code (RFC 6749 4.1.2).
    if (grant.codeUsedAt) {
      await endGrantOfApp({ ...ctx, db: tx }, grant, { isTheft: true })
      return refusal('The code has already been used. The tokens that were issued for it are revoked.')
    }
    if (grant.redirectURI !== request.redirectURI)
      return refusal('The redirect_uri differs from the redirect_uri of the authorization request.')
    if (!isVerified(grant.codeChallenge, request.codeVerifier))
      return refusal('The code_verifier does not match the code_challenge of the authorization request.')
    const refreshToken = `${refreshTokenPrefix}${newSecret()}`
    return issueTokens(tx, grant, { scopes: scopesOf(grant), refreshToken, ttlSeconds: request.ttlSeconds })
  })
}

// A verifier without a challenge is refused too. Otherwise an attacker could leave out the challenge (RFC 9700 4.8.2).
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  // RFC 7636 4.1 requires at least 43 characters, so that nobody can guess the verifier.
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(hash('sha256', verifier, 'base64url'))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function refusal(message: string): Refusal {
  return { error: 'invalid_grant', message }
}
