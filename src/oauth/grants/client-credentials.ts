import { issueAccessToken } from '../../apps/access-tokens.ts'
import { scopes } from '../../context.ts'
import { prefixOf } from '../../platform/ids.ts'
import { required } from '../client-authentication.ts'
import { OAuthError } from '../errors.ts'
import type { Grant } from '../grant.ts'

/** An app gets a token of its user in the workspace that `subject` names (RFC 6749 4.4). */
export const clientCredentials: Grant = {
  type: 'client_credentials',
  required: ['subject', 'redirect_uri'],
  async issue({ db, config }, client, form) {
    const workspaceID = required(form, 'subject')
    checkScope(form.scope)
    // Compared as text (RFC 6749 3.1.2.3).
    if (!client.redirectURIs.includes(required(form, 'redirect_uri'))) {
      throw new OAuthError('invalid_grant', 'The redirect_uri is not registered for this app.')
    }
    const ttlSeconds = config.tokenTTLSeconds
    const issued =
      prefixOf(workspaceID) === 'wks'
        ? await issueAccessToken(db, { workspaceID, appID: client.id }, ttlSeconds)
        : undefined
    if (!issued)
      throw new OAuthError('invalid_grant', 'The app is not installed in the workspace that subject names.')
    return {
      user_id: issued.userID,
      access_token: issued.token,
      token_type: 'Bearer',
      expires_in: ttlSeconds,
      ...(form.scope !== undefined && { scope: issued.scopes.join(' ') }),
    }
  },
}

/** A token holds all scopes of its installation, whichever are asked for; but they must be scopes. */
function checkScope(scope = ''): void {
  const unknown = scope
    .split(' ')
    .filter((name) => name !== '' && !(scopes as readonly string[]).includes(name))
  if (unknown.length > 0) throw new OAuthError('invalid_scope', `The scopes are ${scopes.join(', ')}.`)
}
