import { z } from 'zod'
import { type Context, requireScope, type UserActor } from '../context.ts'
import { batcher } from '../database/batches/batcher.ts'
import { query } from '../database/query.ts'
import { type EventType, eventTypes } from '../events/event-types.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { accessGroup } from '../groups/access.ts'
import { groupID } from '../groups/general-group-id.ts'
import { id, parseInput } from '../input.ts'
import { accessThread, threadIDsAddressedTo } from '../threads/access.ts'
import { canHear, scopeFor } from './can-hear.ts'

const inputSchema = z.object({
  types: z.array(z.enum(eventTypes)).nullish(),
  threadID: id.nullish(),
  groupID: groupID.nullish(),
})
export type EventFilterInput = z.input<typeof inputSchema>

/** Selects events. `groupID` selects the events of the group, and of the threads that are addressed to it. */
export type EventFilter = {
  types: ReadonlySet<EventType> | undefined
  threadID: string | undefined
  groupID: string | undefined
}

/** Checks that the caller can see the thread or group, and has the scopes of the types. */
export async function readEventFilter(
  ctx: Context<UserActor>,
  input: EventFilterInput,
): Promise<EventFilter> {
  const { types, threadID, groupID } = parseInput(inputSchema, input)
  for (const type of types ?? []) if (!type.startsWith('app.')) requireScope(ctx, scopeFor(type))
  if (threadID != null) await accessThread(ctx, threadID, 'threads.messages:read')
  if (groupID != null) await accessGroup(ctx, groupID)
  return {
    types: types ? new Set(types) : undefined,
    threadID: threadID ?? undefined,
    groupID: groupID ?? undefined,
  }
}

/** Returns whether an event matches the filter and the caller is allowed to receive it. */
export async function matches(
  ctx: Context<UserActor>,
  { types, threadID, groupID }: EventFilter,
  event: LoggedEvent,
): Promise<boolean> {
  if (types && !types.has(event.type)) return false
  if (threadID !== undefined && event.threadID !== threadID) return false
  if (groupID !== undefined && !(await concernsGroup(ctx, groupID, event))) return false
  return canHear(ctx, event)
}

async function concernsGroup(ctx: Context, groupID: string, event: LoggedEvent): Promise<boolean> {
  const { objectID, threadID, details, workspaceID } = event
  if (threadID === null) return objectID === groupID
  if (details?.recipientIDs?.includes(groupID)) return true
  return isAddressed(ctx.db, `${workspaceID} ${groupID}`, threadID)
}

/** Returns whether a thread is addressed to a group, or is its chat. The key is "<workspace ID> <group ID>". */
export const isAddressed = batcher<string, boolean>(
  { running: 2, calls: 2000 },
  async (db, calls, { key }) => {
    const [workspaceID = '', groupID = ''] = key.split(' ')
    const addressed = await query<{ id: string }>(
      db,
      Prisma.sql`
    SELECT addressed.id FROM (${threadIDsAddressedTo(workspaceID, groupID)}) AS addressed (id)
    WHERE addressed.id = ANY (${[...new Set(calls)]}::text[])`,
    )
    const known = new Set(addressed.map(({ id }) => id))
    return calls.map((threadID) => known.has(threadID))
  },
)
