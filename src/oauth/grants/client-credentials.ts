import { isRegistered } from '../../apps/redirect-uris.ts'
import {
  findInstalledScopes,
  type InstallationKey,
  issueAccessToken,
} from '../../apps/tokens/access-tokens.ts'
import type { Database } from '../../database/database.ts'
import { prefixOf } from '../../platform/ids.ts'
import { type Scope, withIncluded } from '../../scopes.ts'
import { OAuthError } from '../errors.ts'
import { readScopes, required } from '../form.ts'
import type { Grant } from '../grant.ts'

/** Issues a token for the app's user in the workspace that `subject` names (RFC 6749 4.4). */
export const clientCredentials: Grant = {
  type: 'client_credentials',
  required: ['subject', 'redirect_uri'],
  isForPublicClients: false,
  async issue({ db, config }, client, form) {
    const installed = { workspaceID: required(form, 'subject'), appID: client.id }
    const requestedScopes = readScopes(form.scope)
    if (!isRegistered(required(form, 'redirect_uri'), client.redirectURIs))
      throw new OAuthError('invalid_grant', 'The redirect_uri is not registered for this app.')
    if (prefixOf(installed.workspaceID) !== 'wks') throw notInstalled()
    if (requestedScopes) await requireScopes(db, installed, requestedScopes)
    const ttlSeconds = config.tokenTTLSeconds
    const issued = await issueAccessToken(db, { ...installed, scopes: requestedScopes, ttlSeconds })
    if (!issued) throw notInstalled()
    return {
      user_id: issued.userID,
      access_token: issued.token,
      token_type: 'Bearer',
      expires_in: ttlSeconds,
      ...(requestedScopes && { scope: issued.scopes.join(' ') }),
    }
  },
}

function notInstalled(): OAuthError {
  return new OAuthError('invalid_grant', 'The app is not installed in the workspace that subject identifies.')
}

async function requireScopes(
  db: Database,
  installed: InstallationKey,
  requestedScopes: Scope[],
): Promise<void> {
  const held = await findInstalledScopes(db, installed)
  if (!held) throw notInstalled()
  const missingScopes = requestedScopes.filter((scope) => !withIncluded(held).includes(scope))
  if (missingScopes.length === 0) return
  throw new OAuthError(
    'invalid_scope',
    `The installation does not have the scopes ${missingScopes.join(', ')}.`,
  )
}
