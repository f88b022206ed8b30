import * as openid from 'openid-client'
import { nameIn, type OAuthClient, viewerQuery } from './oauth-client.ts'

export const openidClient: OAuthClient = async (settings, visit) => {
  const { issuer, clientID, clientSecret, redirectURI, scope, actAs } = settings
  const config = await openid.discovery(
    new URL(issuer),
    clientID,
    undefined,
    clientSecret === null ? openid.None() : openid.ClientSecretBasic(clientSecret),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const codeVerifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectURI,
    scope,
    state,
    act_as: actAs,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  // The library checks the parameters `state` and `iss`.
  const tokens = await openid.authorizationCodeGrant(config, new URL(await visit(url.href)), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
  })
  const ask = (token: string) =>
    openid.fetchProtectedResource(
      config,
      token,
      new URL('/public/graphql', issuer),
      'POST',
      viewerQuery,
      new Headers({ 'content-type': 'application/json' }),
    )
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
  const token = refreshed.access_token
  const names = [await nameIn(await ask(tokens.access_token)), await nameIn(await ask(token))]
  const inspect = () => (clientSecret === null ? null : openid.tokenIntrospection(config, token))
  const introspected = await inspect()
  await openid.tokenRevocation(config, token)
  const statusAfterRevocation = await ask(token).then(
    ({ status }) => status,
    (error: openid.WWWAuthenticateChallengeError) => error.status,
  )
  const activeAfterRevocation = (await inspect())?.active ?? null
  return { names, introspected, statusAfterRevocation, activeAfterRevocation }
}
