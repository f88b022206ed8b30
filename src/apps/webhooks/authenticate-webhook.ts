import type { UserActor } from '../../context.ts'
import type { Database } from '../../platform/database.ts'
import { prefixOf } from '../../platform/ids.ts'
import { secretMatches } from '../../platform/secrets.ts'

const scopes: UserActor['scopes'] = new Set(['threads.messages:write'])

/** Who posts with a webhook's ID and key, or undefined; an unknown ID, a wrong key and a webhook that is off are alike. */
export async function authenticateWebhook(
  db: Database,
  id: string,
  key: string,
): Promise<UserActor | undefined> {
  const webhook =
    prefixOf(id) === 'wbh'
      ? await db.webhook.findFirst({ where: { id, disabledAt: null, deletedAt: null } })
      : null
  if (!secretMatches(key, webhook?.keyHash) || !webhook) return undefined
  return { kind: 'user', workspaceID: webhook.workspaceID, userID: webhook.userID, scopes }
}
