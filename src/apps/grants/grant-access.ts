import { type ActiveSession, lockSession, requireFreshSignIn } from '../../accounts/sessions/session.ts'
import { record, type Unidentified } from '../../audit/record.ts'
import { inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { hashSecret, newSecret } from '../../platform/secrets/secrets.ts'
import type { Scope } from '../../scopes.ts'
import { install } from '../installations/install-app.ts'
import { type GrantableApp, grantableWorkspaces } from './grantable.ts'

/** The lifetime of a code that no client has exchanged. */
const codeSeconds = 60

export type Consent = {
  session: ActiveSession
  workspaceID: string
  scopes: readonly Scope[]
  /** Whether the tokens act as the person who consents. Otherwise they act as the app user. */
  actsAsUser: boolean
  redirectURI: string
  /** The `S256` challenge of the client (RFC 7636 4.2). */
  codeChallenge: string | undefined
}

/** Grants an app access to a workspace, and returns the code (RFC 6749 4.1.2). An admin's consent installs the app. */
export function grantAccess(ctx: Unidentified, app: GrantableApp, consent: Consent): Promise<string> {
  const { session, workspaceID, scopes, actsAsUser, redirectURI, codeChallenge } = consent
  return inTransaction(ctx.db, async (tx) => {
    const { id: accountID } = await lockSession(tx, session)
    if (actsAsUser) await requireFreshSignIn(tx, session)
    const workspaces = await grantableWorkspaces(tx, app, { accountID, actsAsUser })
    const workspace = workspaces.find((known) => known.workspaceID === workspaceID)
    if (!workspace) throw new AppError('forbidden', 'You cannot install this app in the workspace.')
    // If the tokens act as the person, the app user does not get their scopes.
    if (workspace.isAdmin)
      await install(tx, app, workspaceID, actsAsUser ? [] : [...scopes], { keepsScopes: true })
    const code = newSecret()
    const granted = await query(
      tx,
      Prisma.sql`
      INSERT INTO grants (
        workspace_id, id, app_id, user_id, account_id, acts_as_user, scopes, code_hash, code_challenge, redirect_uri,
        expires_at)
      SELECT workspace_id, ${newID('grt')}, app_id, ${workspace.userID}, ${accountID}, ${actsAsUser}, ${[...scopes]}::text[],
        ${hashSecret(code)}, ${codeChallenge ?? null}, ${redirectURI},
        now() + make_interval(secs => ${codeSeconds})
      FROM installations WHERE workspace_id = ${workspaceID} AND app_id = ${app.id} AND uninstalled_at IS NULL FOR SHARE
      RETURNING id`,
    )
    if (granted.length === 0) throw new AppError('forbidden', 'The app is not installed in the workspace.')
    const actor = { kind: 'user' as const, userID: workspace.userID, session }
    const details = { scopes, actsAsUser }
    await record({ ...ctx, db: tx, actor }, { action: 'grantAccess', workspaceID, object: app, details })
    return code
  })
}
