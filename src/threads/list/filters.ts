import { z } from 'zod'
import type { Context, UserActor } from '../../context.ts'
import { fillFolded } from '../../database/fill-folded.ts'
import { type Group, Prisma, type User } from '../../generated/prisma/client.ts'
import { accessGroup } from '../../groups/access.ts'
import { groupID } from '../../groups/general-group-id.ts'
import { id, parseInput, text, time } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { fold } from '../../text/search/words.ts'
import { accessUser } from '../../users/access.ts'
import { threadIDsAddressedTo, threadIDsOf } from '../access.ts'
import { active } from './activity.ts'

const kinds = { dm: 'dm', groupChat: 'group_chat', thread: 'thread' } as const

const foldedSubjects = { table: 'threads', text: 'subject', folded: 'folded_subject', fold }

const inputSchema = z.object({
  groupID: groupID.nullish(),
  userID: id.nullish(),
  mine: z.boolean().nullish(),
  personal: z.boolean().nullish(),
  followed: z.boolean().nullish(),
  muted: z.boolean().nullish(),
  unread: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  state: z.enum(['running', 'failed', 'ok'], 'must be running, failed or ok').nullish(),
  kind: z.enum(['dm', 'groupChat', 'thread'], 'must be dm, groupChat or thread').nullish(),
  startedByID: id.nullish(),
  activeAfter: time.nullish(),
  subjectContains: text(250).nullish(),
})

export type ThreadFilter = z.input<typeof inputSchema>

/** SQL for the IDs of the threads from which a list is gathered. The name identifies them in a cache. */
export type Candidates = { name: string; ids: Prisma.Sql }

/**
 * `where` is a condition on rows `t`. `among`, if defined, contains all threads that meet this condition. `isVisible` is
 * true if the caller can see all of them.
 */
export type FilterConditions = { where: Prisma.Sql; among: Candidates | undefined; isVisible: boolean }

export type FilterCondition = { where: Prisma.Sql; among?: Candidates; isVisible?: boolean }

/** What concerns the caller, as conditions on rows `t`. `src/messages` defines it. For app users, all threads are mine. */
export type Attention = {
  isUnread: (actor: UserActor) => Prisma.Sql
  mine: (ctx: Context<UserActor>) => Promise<Required<FilterCondition> | undefined>
} & Record<(typeof settings)[number], (actor: UserActor) => FilterCondition>

const settings = ['personal', 'followed', 'muted'] as const

/** Converts a filter to SQL, and checks that the caller can see the group and the users that it names. */
export async function readFilter(
  ctx: Context<UserActor>,
  input: ThreadFilter | null | undefined,
  attention: Attention,
): Promise<FilterConditions> {
  const { filter } = parseInput(z.object({ filter: inputSchema }), { filter: input ?? {} })
  const { groupID, userID, mine, unread, closed, state, kind, startedByID, activeAfter, subjectContains } =
    filter
  const parts: FilterCondition[] = []
  if (groupID != null) parts.push(await addressedTo(ctx, accessGroup(ctx, groupID, 'threads:read')))
  if (userID != null) parts.push(await addressedTo(ctx, accessUser(ctx, userID, 'threads:read')))
  if (startedByID != null) parts.push(await startedBy(ctx, startedByID))
  if (kind != null) parts.push(ofKind(ctx, kinds[kind]))
  if (activeAfter != null) parts.push(active(ctx, activeAfter))
  if (mine != null) parts.push(await concerning(ctx, attention, mine))
  for (const name of settings) {
    const value = filter[name]
    if (value != null) parts.push(onlyIf(attention[name](ctx.actor), value))
  }
  if (unread != null) parts.push({ where: Prisma.sql`${attention.isUnread(ctx.actor)} = ${unread}` })
  if (closed != null) parts.push({ where: Prisma.sql`(t.closed_at IS NOT NULL) = ${closed}` })
  if (state != null) parts.push({ where: Prisma.sql`t.state = ${state}` })
  if (subjectContains) {
    await fillFolded(ctx.db, ctx.actor.workspaceID, foldedSubjects)
    parts.push({ where: Prisma.sql`strpos(t.folded_subject, ${fold(subjectContains)}) > 0` })
  }
  return {
    where: Prisma.join([Prisma.sql`TRUE`, ...parts.map(({ where }) => where)], ' AND '),
    among: parts.find(({ among }) => among !== undefined)?.among,
    isVisible: parts.some(({ isVisible }) => isVisible),
  }
}

async function concerning(
  ctx: Context<UserActor>,
  attention: Attention,
  mine: boolean,
): Promise<FilterCondition> {
  const condition = await attention.mine(ctx)
  if (!condition) return { where: Prisma.sql`${mine}::boolean` }
  // A thread that is no DM has no users of a DM, and the condition can be unknown for it.
  return mine ? condition : { where: Prisma.sql`${condition.where} IS NOT TRUE` }
}

function onlyIf(condition: FilterCondition, value: boolean): FilterCondition {
  return value ? condition : { where: Prisma.sql`NOT ${condition.where}` }
}

async function addressedTo(
  { actor: { workspaceID } }: Context<UserActor>,
  found: Promise<User | Group>,
): Promise<FilterCondition> {
  const { id } = await found
  const isChat =
    prefixOf(id) === 'usr'
      ? Prisma.sql`t.dm_low_user_id = ${id} OR t.dm_high_user_id = ${id}`
      : Prisma.sql`t.chat_group_id = ${id}`
  return {
    where: Prisma.sql`(${isChat} OR ${hasRecipient(id)})`,
    among: { name: id, ids: threadIDsAddressedTo(workspaceID, id) },
  }
}

async function startedBy(ctx: Context<UserActor>, userID: string): Promise<FilterCondition> {
  const { workspaceID, id } = await accessUser(ctx, userID, 'threads:read')
  return {
    where: Prisma.sql`t.started_by_id = ${id}`,
    among: {
      name: `started by ${id}`,
      ids: Prisma.sql`SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND started_by_id = ${id}`,
    },
  }
}

// Few threads are DMs or group chats. The view finds these threads by their users and groups.
function ofKind({ actor }: Context<UserActor>, kind: (typeof kinds)[keyof typeof kinds]): FilterCondition {
  const where = Prisma.sql`t.kind = ${kind}`
  if (kind === 'thread') return { where }
  const foundAs = Prisma.raw(kind === 'dm' ? `'dm'` : `'group chat'`)
  return { where, among: { name: kind, ids: Prisma.sql`${threadIDsOf(actor)} AND found_as = ${foundAs}` } }
}

function hasRecipient(recipientID: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM recipients named
    WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = ${recipientID} OFFSET 0)`
}
