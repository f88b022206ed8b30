import type { Context } from '../../context.ts'
import { requireUser } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { type PageArgs, pageAmong } from '../../database/paging.ts'
import type { Group, Message, User } from '../../generated/prisma/client.ts'
import { findGroupUnscoped } from '../../groups/access.ts'
import { toGroupID } from '../../groups/general-group-id.ts'
import { prefixOf } from '../../platform/ids.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import { mentionedIDs } from '../../text/markdown/render-markdown.ts'
import { findUserUnscoped } from '../../users/access.ts'

/** Returns the users and groups with these IDs that the caller can see, in the order of their IDs. */
export async function listRecipientsByID(
  ctx: Context,
  ids: readonly string[],
  args: PageArgs,
): Promise<Connection<User | Group>> {
  requireUser(ctx)
  const { workspaceID } = ctx.actor
  const found = await Promise.all(
    [...new Set(ids.map(toGroupID))].map(
      (id): Promise<User | Group | undefined> =>
        (prefixOf(id) === 'usr' ? findUserUnscoped : findGroupUnscoped)(ctx, workspaceID, id),
    ),
  )
  const visible = found.filter((one) => one !== undefined)
  return pageAmong('named', visible, args)
}

/** Returns the users and groups that are mentioned outside of code and that the caller can see. */
export async function listMentions(
  ctx: Context,
  { text, allowMentions, isPlain }: Message,
  args: PageArgs,
): Promise<Connection<User | Group>> {
  if (!allowMentions || isPlain) return pageAmong('named', [], args)
  const ids = await inTurns(ctx.db, text.length, () => mentionedIDs(text, ctx.config.mentionSchemes))
  return listRecipientsByID(ctx, ids, args)
}
