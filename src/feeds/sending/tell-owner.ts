import type { Context, UserActor } from '../../context.ts'
import type { EventEndpoint } from '../../generated/prisma/client.ts'
import { generalGroupID } from '../../groups/general-group-id.ts'
import { sendMessage } from '../../messages/send/send-message.ts'
import type { Shared } from '../fan-out/listener.ts'

type Stop = { state: 'paused' | 'disabled'; since: Date }

const senderScopes: UserActor['scopes'] = new Set(['threads.messages:write'])

/**
 * Sends a DM about a stopped endpoint to its creator, or to each admin of the workspace if the creator was deleted or
 * is the operator. The sender is the user of the app or of the webhook.
 */
export async function tellOwner(shared: Shared, endpoint: EventEndpoint, stop: Stop): Promise<void> {
  const userID = await senderOf(shared, endpoint)
  if (userID === undefined) return
  const { workspaceID, id } = endpoint
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: senderScopes }
  const ctx: Context = { ...shared, actor }
  const text = textOf(endpoint, stop, shared.config.eventTTLDays)
  const message = { text, uniqueBy: `${id} ${stop.since.getTime()}` }
  for (const ownerID of await ownersOf(shared, endpoint)) {
    if (ownerID !== userID) await sendMessage(ctx, { thread: { recipients: [ownerID] }, message })
  }
}

async function senderOf(
  { db }: Shared,
  { workspaceID, appID, webhookID }: EventEndpoint,
): Promise<string | undefined> {
  if (webhookID !== null)
    return (await db.webhook.findUnique({ where: { workspaceID_id: { workspaceID, id: webhookID } } }))
      ?.userID
  const key = { workspaceID, appID: appID ?? '' }
  const installed = await db.installation.findUnique({
    where: { workspaceID_appID: key, uninstalledAt: null },
  })
  return installed?.userID
}

async function ownersOf({ db }: Shared, { workspaceID, creatorID }: EventEndpoint): Promise<string[]> {
  const creator =
    creatorID && (await db.user.findFirst({ where: { workspaceID, id: creatorID, deletedAt: null } }))
  if (creator) return [creator.id]
  const where = { workspaceID, groupID: generalGroupID(workspaceID), role: 'admin' }
  return (await db.groupMember.findMany({ where, orderBy: { userID: 'asc' } })).map(({ userID }) => userID)
}

function textOf({ id, url }: EventEndpoint, { state, since }: Stop, keptDays: number): string {
  const host = `\`${new URL(url).host}\``
  const next = `Its new events are kept for ${keptDays === 1 ? 'one day' : `${keptDays} days`}. To continue, call \`enableEventEndpoint\` for \`${id}\`.`
  return state === 'disabled'
    ? `The event endpoint at ${host} answered that it is gone (410). Therefore it was disabled. ${next}`
    : `The event endpoint at ${host} has failed since ${since.toISOString()}. Therefore it was paused. ${next}`
}
