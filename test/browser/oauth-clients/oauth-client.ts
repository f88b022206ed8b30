/** A registered app. A public app has no secret. */
export type ClientSettings = {
  issuer: string
  clientID: string
  clientSecret: string | null
  redirectURI: string
  scope: string
  actAs: 'app' | 'user'
}

/** What an app saw. */
export type Outcome = {
  /** The name of the user that the first token acts as, and then the name for the refreshed token. */
  names: string[]
  /** The answer to the introspection of the token, or null for an app without a secret, which cannot use it. */
  introspected: { active: boolean; scope?: unknown; client_id?: unknown } | null
  /** The status of a GraphQL request, and whether the token is active, after the app revoked it. */
  statusAfterRevocation: number
  activeAfterRevocation: boolean | null
}

/** Uses a client library. `visit` opens the authorization URL in the browser, and returns the URL of the callback. */
export type OAuthClient = (
  settings: ClientSettings,
  visit: (authorizationURL: string) => Promise<string>,
) => Promise<Outcome>

export const viewerQuery = JSON.stringify({ query: '{ viewer { user { name } } }' })

export async function nameIn(answer: Response): Promise<string> {
  const { data } = (await answer.json()) as { data: { viewer: { user: { name: string } } } }
  return data.viewer.user.name
}
