import * as oauth from 'oauth4webapi'
import { nameIn, type OAuthClient, viewerQuery } from './oauth-client.ts'

const options = { [oauth.allowInsecureRequests]: true }

export const oauth4webapi: OAuthClient = async (settings, visit) => {
  const { issuer, clientID, clientSecret, redirectURI, scope, actAs } = settings
  const issuerURL = new URL(issuer)
  const found = await oauth.discoveryRequest(issuerURL, { algorithm: 'oauth2', ...options })
  const server = await oauth.processDiscoveryResponse(issuerURL, found)
  const client = { client_id: clientID }
  const authentication = clientSecret === null ? oauth.None() : oauth.ClientSecretPost(clientSecret)
  const codeVerifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientID,
    redirect_uri: redirectURI,
    scope,
    state,
    act_as: actAs,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }).toString()
  // The library checks the parameters `state` and `iss`.
  const callback = oauth.validateAuthResponse(server, client, new URL(await visit(url.href)), state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      redirectURI,
      codeVerifier,
      options,
    ),
  )
  const ask = (token: string) =>
    oauth.protectedResourceRequest(
      token,
      'POST',
      new URL('/public/graphql', issuer),
      new Headers({ 'content-type': 'application/json' }),
      viewerQuery,
      options,
    )
  const renewal = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    tokens.refresh_token ?? '',
    options,
  )
  const { access_token: token } = await oauth.processRefreshTokenResponse(server, client, renewal)
  const names = [await nameIn(await ask(tokens.access_token)), await nameIn(await ask(token))]
  const inspect = async () => {
    if (clientSecret === null) return null
    const answer = await oauth.introspectionRequest(server, client, authentication, token, options)
    return oauth.processIntrospectionResponse(server, client, answer)
  }
  const introspected = await inspect()
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, authentication, token, options),
  )
  const statusAfterRevocation = await ask(token).then(
    ({ status }) => status,
    (error: oauth.WWWAuthenticateChallengeError) => error.status,
  )
  const activeAfterRevocation = (await inspect())?.active ?? null
  return { names, introspected, statusAfterRevocation, activeAfterRevocation }
}
