import { createHash, randomBytes } from 'node:crypto'
import { AuthorizationCode } from 'simple-oauth2'
import { nameIn, type OAuthClient, viewerQuery } from './oauth-client.ts'

/** The library has no PKCE, no check of `state` and `iss`, and no introspection. Therefore, the app implements them. */
export const simpleOAuth2: OAuthClient = async (settings, visit) => {
  const { issuer, clientID, clientSecret, redirectURI, scope, actAs } = settings
  const client = new AuthorizationCode({
    client: { id: clientID, secret: clientSecret ?? '' },
    auth: { tokenHost: issuer },
    // By default, the library sends the secret in the header, and an empty secret if the app has none.
    ...(clientSecret === null && { options: { authorizationMethod: 'body' as const } }),
  })
  const [codeVerifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const parameters = {
    redirect_uri: redirectURI,
    scope,
    state,
    act_as: actAs,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const { searchParams } = new URL(await visit(client.authorizeURL(parameters)))
  if (searchParams.get('state') !== state || searchParams.get('iss') !== issuer) throw new Error('Not ours')
  const request = { code: searchParams.get('code') ?? '', redirect_uri: redirectURI }
  const tokens = await client.getToken({ ...request, code_verifier: codeVerifier } as typeof request)
  const ask = ({ token }: typeof tokens) =>
    fetch(`${issuer}/public/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
      body: viewerQuery,
    })
  const refreshed = await tokens.refresh()
  const names = [await nameIn(await ask(tokens)), await nameIn(await ask(refreshed))]
  const inspect = async () => {
    if (clientSecret === null) return null
    const body = new URLSearchParams({
      client_id: clientID,
      client_secret: clientSecret,
      token: String(refreshed.token.access_token),
    })
    const answer = await fetch(`${issuer}/oauth/introspect`, { method: 'POST', body })
    return (await answer.json()) as { active: boolean }
  }
  const introspected = await inspect()
  await refreshed.revoke('access_token')
  const { status: statusAfterRevocation } = await ask(refreshed)
  const activeAfterRevocation = (await inspect())?.active ?? null
  return { names, introspected, statusAfterRevocation, activeAfterRevocation }
}
