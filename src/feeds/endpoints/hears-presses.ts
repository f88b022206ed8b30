import type { Context, WebhookActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import type { EventType } from '../../events/event-types.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { toGroupID } from '../../groups/general-group-id.ts'
import { isAddressed } from '../event-filter.ts'

const pressed: EventType = 'message.buttonPressed'

/** Returns whether an endpoint of the webhook receives the presses on its buttons in a group or thread. */
export async function hearsPresses({ db, actor }: Context<WebhookActor>, target: string): Promise<boolean> {
  const { workspaceID, webhook } = actor
  const found = await query<{ groupID: string | null }>(
    db,
    Prisma.sql`
    SELECT DISTINCT group_id AS "groupID" FROM event_endpoints
    WHERE workspace_id = ${workspaceID} AND webhook_id = ${webhook.id} AND deleted_at IS NULL AND state = 'active'
      AND (types = '{}' OR ${pressed} = ANY (types))`,
  )
  const concerns = async (groupID: string | null) =>
    groupID === null || groupID === toGroupID(target) || isAddressed(db, `${workspaceID} ${groupID}`, target)
  return (await Promise.all(found.map(({ groupID }) => concerns(groupID)))).includes(true)
}
