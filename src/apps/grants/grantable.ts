import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type App, Prisma } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../../groups/general-group-id.ts'
import { prefixOf } from '../../platform/ids.ts'
import { peopleOfAccount } from '../../workspaces/users/people-of-account.ts'
import { appColumns } from '../rows.ts'

/** An app, with the name of the workspace that manages it. */
export type GrantableApp = App & { managedIn: string; redirectURIs: string[] }

export async function findGrantableApp(db: Database, clientID: string): Promise<GrantableApp | undefined> {
  if (prefixOf(clientID) !== 'app') return undefined
  const [app] = await query<GrantableApp>(
    db,
    Prisma.sql`
    SELECT ${appColumns}, w.name AS "managedIn", ARRAY(
      SELECT r.uri FROM redirect_uris r WHERE r.workspace_id = a.workspace_id AND r.app_id = a.id) AS "redirectURIs"
    FROM apps a JOIN workspaces w ON w.id = a.workspace_id WHERE a.id = ${clientID} AND a.deleted_at IS NULL`,
  )
  return app
}

export type GrantableWorkspace = {
  workspaceID: string
  name: string
  userID: string
  isAdmin: boolean
  isInstalled: boolean
}

/** Returns the workspaces in which a person can install an app, or let an installed app act as the person. */
export async function grantableWorkspaces(
  db: Database,
  app: Pick<App, 'id' | 'workspaceID' | 'isListed'>,
  { accountID, actsAsUser }: { accountID: string; actsAsUser: boolean },
): Promise<GrantableWorkspace[]> {
  const people = (await peopleOfAccount(db, accountID)).filter(
    ({ workspaceID }) => app.isListed || workspaceID === app.workspaceID,
  )
  const rows = await query<{ workspaceID: string; isAdmin: boolean; isInstalled: boolean }>(
    db,
    Prisma.sql`
    SELECT p.workspace_id AS "workspaceID",
      EXISTS (
        SELECT FROM group_members m
        WHERE m.workspace_id = p.workspace_id AND m.group_id = p.group_id AND m.user_id = p.user_id AND m.role = 'admin'
        OFFSET 0) AS "isAdmin",
      EXISTS (
        SELECT FROM installations i
        WHERE i.workspace_id = p.workspace_id AND i.app_id = ${app.id} AND i.uninstalled_at IS NULL
        OFFSET 0) AS "isInstalled"
    FROM unnest(
      ${people.map(({ workspaceID }) => workspaceID)}::text[],
      ${people.map(({ workspaceID }) => generalGroupID(workspaceID))}::text[],
      ${people.map(({ userID }) => userID)}::text[]
    ) AS p (workspace_id, group_id, user_id)`,
  )
  const rights = new Map(rows.map((row) => [row.workspaceID, row]))
  return people.flatMap(({ workspaceID, workspace: name, userID }) => {
    const { isAdmin = false, isInstalled = false } = rights.get(workspaceID) ?? {}
    return isAdmin || (actsAsUser && isInstalled) ? [{ workspaceID, name, userID, isAdmin, isInstalled }] : []
  })
}
