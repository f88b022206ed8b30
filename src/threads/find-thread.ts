import { z } from 'zod'
import { cachedPerLimits } from '../config.ts'
import { type Context, requireScope, type UserActor } from '../context.ts'
import { query } from '../database/query.ts'
import { invalidField } from '../errors.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { groupID } from '../groups/general-group-id.ts'
import { parseID, parseInput, text } from '../input.ts'
import { accessThread } from './access.ts'
import { threadColumns } from './rows.ts'

type Arguments = { [Name in 'id' | 'threadBy' | 'groupID']?: string | null | undefined }

const keyInput = cachedPerLimits((limits) => z.object({ threadBy: text(limits.keyCharacters), groupID }))

/** Finds a thread by its ID, or by the key with which the caller created it. An unknown ID is an error, but not a key. */
export async function findThreadByArguments(
  ctx: Context,
  { id, threadBy, groupID }: Arguments,
): Promise<Thread | null> {
  if (id == null) {
    if (threadBy == null && groupID == null) {
      requireScope(ctx, 'threads:read')
      throw invalidField('id', 'is required unless threadBy and groupID are given')
    }
    return findOwnThread(ctx, { threadBy: threadBy ?? undefined, groupID: groupID ?? undefined })
  }
  if (threadBy != null) throw invalidField('threadBy', 'cannot be used together with id')
  if (groupID != null) throw invalidField('groupID', 'cannot be used together with id')
  return accessThread(ctx, parseID(id))
}

async function findOwnThread(
  ctx: Context,
  input: Pick<Arguments, 'threadBy' | 'groupID'>,
): Promise<Thread | null> {
  const { threadBy, groupID } = parseInput(keyInput(ctx.config.limits), input)
  requireScope(ctx, 'threads:read')
  const { workspaceID, userID } = ctx.actor
  const [thread] = await query<Thread>(
    ctx.db,
    Prisma.sql`
    SELECT ${threadColumns} FROM visible_threads t
    WHERE t.viewer_id = ${userID} AND t.workspace_id = ${workspaceID} AND t.id = (
      ${threadIDByKey(ctx.actor, { threadBy, groupID })})`,
  )
  return thread ?? null
}

/** Returns SQL for the ID of the thread that the caller started in a group with a key. */
export function threadIDByKey(
  { workspaceID, userID }: UserActor,
  { threadBy, groupID }: { threadBy: string; groupID: string },
): Prisma.Sql {
  return Prisma.sql`SELECT id FROM threads
      WHERE workspace_id = ${workspaceID} AND started_by_id = ${userID}
        AND thread_by_target = ${groupID} AND thread_by = ${threadBy}`
}
