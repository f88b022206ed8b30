import { z } from 'zod'
import { type Context, holdsScope, requireScope, type UserActor } from '../../context.ts'
import { inTransaction } from '../../database/database.ts'
import { violatedConstraint } from '../../database/database-errors.ts'
import { selectLoader } from '../../database/loader.ts'
import { query } from '../../database/query.ts'
import { conflict } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import { type Group, Prisma, type Thread } from '../../generated/prisma/client.ts'
import { accessGroup, findGroup } from '../../groups/access.ts'
import { groupID, recipientID } from '../../groups/general-group-id.ts'
import { id, parseInput } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { accessThread, findThread } from '../../threads/access.ts'
import { requirePerson } from '../../users/access.ts'

const maxPins = 100
const groupSchema = z.object({ groupID })
const threadSchema = z.object({ threadID: id })
const orderSchema = z.object({
  pinnedIDs: z.array(recipientID).max(maxPins, `must have at most ${maxPins} IDs`),
})

type Changed = { viewer: UserActor }
type Change = (
  ctx: Context<UserActor>,
  pinned: { id: string; column: 'group_id' | 'thread_id' },
) => Prisma.Sql

/** Pins a group for the caller. */
export const pinGroup = changeOfGroup(addition)
/** Removes a group from the caller's pins. */
export const unpinGroup = changeOfGroup(removal)
/** Pins a thread for the caller. */
export const pinThread = changeOfThread(addition)
/** Removes a thread from the caller's pins. */
export const unpinThread = changeOfThread(removal)

function changeOfGroup(change: Change) {
  return async (ctx: Context, input: z.input<typeof groupSchema>): Promise<Changed & { group: Group }> => {
    requireScope(ctx, 'groups:read')
    const { groupID } = parseInput(groupSchema, input)
    await requirePerson(ctx)
    const group = await accessGroup(ctx, groupID)
    return { group, ...(await changePins(ctx, change(ctx, { id: group.id, column: 'group_id' }))) }
  }
}

function changeOfThread(change: Change) {
  return async (ctx: Context, input: z.input<typeof threadSchema>): Promise<Changed & { thread: Thread }> => {
    requireScope(ctx, 'threads:read')
    const { threadID } = parseInput(threadSchema, input)
    await requirePerson(ctx)
    const thread = await accessThread(ctx, threadID)
    return { thread, ...(await changePins(ctx, change(ctx, { id: thread.id, column: 'thread_id' }))) }
  }
}

/** Puts the pins of the input first, in its order. Other IDs have no effect. */
export async function orderPins(ctx: Context, input: z.input<typeof orderSchema>): Promise<Changed> {
  requireScope(ctx, 'threads:read')
  const { pinnedIDs } = parseInput(orderSchema, input)
  await requirePerson(ctx)
  const own = ownPins(ctx.actor)
  return changePins(
    ctx,
    Prisma.sql`
    UPDATE pins SET place = ordered.place
    FROM (
      SELECT pinned_id AS id, row_number() OVER (ORDER BY array_position(${pinnedIDs}::text[], pinned_id), place) AS place
      FROM pins WHERE ${own}
    ) AS ordered
    WHERE ${own} AND pinned_id = ordered.id AND pins.place <> ordered.place`,
  )
}

function addition({ actor }: Context<UserActor>, { id, column }: Parameters<Change>[1]): Prisma.Sql {
  const own = ownPins(actor)
  return Prisma.sql`
    INSERT INTO pins (workspace_id, user_id, ${Prisma.raw(column)}, place)
    SELECT ${actor.workspaceID}, ${actor.userID}, ${id}, (SELECT count(*) + 1 FROM pins WHERE ${own})
    WHERE NOT EXISTS (SELECT FROM pins WHERE ${own} AND pinned_id = ${id})`
}

function removal({ actor }: Context<UserActor>, { id }: Parameters<Change>[1]): Prisma.Sql {
  const own = ownPins(actor)
  return Prisma.sql`
    WITH removed AS (DELETE FROM pins WHERE ${own} AND pinned_id = ${id} RETURNING place)
    UPDATE pins SET place = pins.place - 1 FROM removed WHERE ${own} AND pins.place > removed.place`
}

/** Changes the pins. If they would be too many, those that the caller can no longer see make room. */
async function changePins(ctx: Context<UserActor>, change: Prisma.Sql): Promise<Changed> {
  const { db, actor } = ctx
  try {
    await changeAlone(ctx, change).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'at_most_100_pins') throw error
      return changeAlone(ctx, removalOfHidden(actor), change)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'at_most_100_pins') throw error
    throw conflict('pin_limit', `You have ${maxPins} pins. Unpin something first.`)
  }
  personalSignals(db).send({ workspaceID: actor.workspaceID, userID: actor.userID, threadID: '' })
  return { viewer: actor }
}

// Concurrent changes of one person wait for each other, because each can move the other pins.
function changeAlone(
  { db, actor: { workspaceID, userID } }: Context<UserActor>,
  ...changes: Prisma.Sql[]
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await query(
      tx,
      Prisma.sql`SELECT FROM users WHERE workspace_id = ${workspaceID} AND id = ${userID} FOR NO KEY UPDATE`,
    )
    for (const change of changes) await query(tx, change)
  })
}

function removalOfHidden(actor: UserActor): Prisma.Sql {
  const own = ownPins(actor)
  const isIn = (view: string, id: string) => Prisma.sql`EXISTS (
        SELECT FROM ${Prisma.raw(view)} WHERE viewer_id = ${actor.userID} AND workspace_id = ${actor.workspaceID}
          AND id = pins.${Prisma.raw(id)} OFFSET 0)`
  return Prisma.sql`
    WITH seen AS MATERIALIZED (
      SELECT pinned_id, row_number() OVER (ORDER BY place) AS place FROM pins
      WHERE ${own} AND (${isIn('visible_groups', 'group_id')} OR ${isIn('visible_threads', 'thread_id')})
    ), removed AS (
      DELETE FROM pins WHERE ${own} AND pinned_id NOT IN (SELECT pinned_id FROM seen)
    )
    UPDATE pins SET place = seen.place FROM seen WHERE ${own} AND pins.pinned_id = seen.pinned_id`
}

const ownPins = ({ workspaceID, userID }: UserActor) =>
  Prisma.sql`workspace_id = ${workspaceID} AND user_id = ${userID}`

/** Returns the groups and threads that the caller has pinned and can see, in the caller's order. */
export async function listPins(ctx: Context): Promise<(Group | Thread)[]> {
  requireScope(ctx, 'threads:read')
  const rows = await query<{ id: string }>(
    ctx.db,
    Prisma.sql`SELECT pinned_id AS id FROM pins WHERE ${ownPins(ctx.actor)} ORDER BY place`,
  )
  const hasGroups = holdsScope(ctx.actor, 'groups:read')
  const pins = await Promise.all(
    rows.map(({ id }) =>
      prefixOf(id) === 'thr' ? findThread(ctx, id) : hasGroups ? findGroup(ctx, id) : undefined,
    ),
  )
  return pins.filter((pin) => pin != null)
}

const loadPin = selectLoader<Context<UserActor>, { id: string }>(
  ({ actor }, _workspaceID, ids) => Prisma.sql`
    SELECT pinned_id AS id FROM pins WHERE ${ownPins(actor)} AND pinned_id = ANY (${ids}::text[])`,
)

/** Returns whether the caller has pinned the group or thread. */
export async function isPinned(ctx: Context, { workspaceID, id }: Group | Thread): Promise<boolean> {
  return ctx.actor.kind === 'user' && (await loadPin({ ...ctx, actor: ctx.actor }, workspaceID, id)) != null
}
