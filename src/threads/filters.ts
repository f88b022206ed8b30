import { z } from 'zod'
import type { Context, UserActor } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { accessGroup } from '../groups/access.ts'
import { groupID } from '../groups/general-group-id.ts'
import { id, parseInput, text } from '../input.ts'
import { accessUser } from '../users/access.ts'

const input = z.object({
  groupID: groupID.nullish(),
  userID: id.nullish(),
  unread: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  subject: text(250).nullish(),
})

export type ThreadFilter = z.input<typeof input>

/** What a list of threads is narrowed to: a condition on rows `t`, and whom all of them name. */
export type Narrowed = { where: Prisma.Sql; naming: string[] }

/** Throws `invalid_input`, `forbidden`, and `not_found` for a group or user that the caller may not see. */
export async function narrowedBy(
  ctx: Context<UserActor>,
  given: ThreadFilter | null | undefined,
): Promise<Narrowed> {
  const { groupID, userID, unread, closed, subject } = parseInput(input, given ?? {})
  const parts: Prisma.Sql[] = []
  const naming: string[] = []
  if (groupID != null) {
    const group = await accessGroup(ctx, groupID, 'threads:read')
    parts.push(Prisma.sql`(t.chat_group_id = ${group.id} OR ${hasRecipient(group.id)})`)
    naming.push(group.id)
  }
  if (userID != null) {
    const user = await accessUser(ctx, userID, 'threads:read')
    parts.push(
      Prisma.sql`(t.dm_low_user_id = ${user.id} OR t.dm_high_user_id = ${user.id} OR ${hasRecipient(user.id)})`,
    )
    naming.push(user.id)
  }
  if (unread != null) parts.push(Prisma.sql`${isUnread(ctx.actor)} = ${unread}`)
  if (closed != null) parts.push(Prisma.sql`(t.closed_at IS NOT NULL) = ${closed}`)
  if (subject) parts.push(Prisma.sql`strpos(lower(t.subject), lower(${subject})) > 0`)
  return { where: parts.length > 0 ? Prisma.join(parts, ' AND ') : Prisma.sql`TRUE`, naming }
}

function hasRecipient(recipientID: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM recipients named
    WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = ${recipientID} OFFSET 0)`
}

/** A condition on rows `t` of threads: messages by others come after the last one that the caller has read. */
function isUnread({ userID }: UserActor): Prisma.Sql {
  return Prisma.sql`(t.last_position > coalesce((
    SELECT own.read_up_to + own.own_total - own.own_read FROM reads own
    WHERE own.workspace_id = t.workspace_id AND own.user_id = ${userID} AND own.thread_id = t.id), 0))`
}
