import type { Context } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { rowLoader } from '../../database/loader.ts'
import { connectionOf, type PageArgs, pageSizeOf } from '../../database/paging.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { PageError } from '../../platform/cursors.ts'
import { prefixOf } from '../../platform/ids.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import { byPosition } from './message-order.ts'

export async function pageAround(
  ctx: Context,
  { workspaceID, id }: Thread,
  messageID: string,
  size: number,
): Promise<Connection<AuthoredMessage>> {
  const page =
    prefixOf(messageID) === 'msg'
      ? await loadPageAround(ctx, workspaceID, `${id} ${messageID} ${size}`)
      : undefined
  if (!page) throw notFound('message')
  return page
}

/** Returns the size of a page around a message, which is either `first` or `last`. Errors name the `argument`. */
export function sizeAround(args: PageArgs, argument: 'around' | 'aroundFirstUnread'): number {
  const { after, before } = args
  if (after != null) throw new PageError('after', `cannot be used together with ${argument}`)
  if (before != null) throw new PageError('before', `cannot be used together with ${argument}`)
  const { field, size } = pageSizeOf(args)
  if (size === 0) throw new PageError(field, `must be at least 1 if ${argument} is given`)
  return size
}

type PageRow = { pageKey: string; start: number; lastPosition: number }

// A page is a range of positions, which have no gaps. The message is in the middle, except at the ends of the thread.
const loadPageAround = rowLoader(async (ctx: Context, workspaceID, pageKeys) => {
  const parts = pageKeys.map((key) => key.split(' '))
  const rows = await query<AuthoredMessage & PageRow>(
    ctx.db,
    Prisma.sql`
    SELECT wanted.thread_id || ' ' || wanted.message_id || ' ' || wanted.size AS "pageKey", page.start,
      t.last_position AS "lastPosition", ${messageColumns}
    FROM unnest(${parts.map(([threadID]) => threadID)}::text[], ${parts.map(([, messageID]) => messageID)}::text[],
      ${parts.map(([, , size]) => Number(size))}::integer[]) AS wanted (thread_id, message_id, size)
    CROSS JOIN LATERAL (
      SELECT position, thread_id FROM messages
      WHERE workspace_id = ${workspaceID} AND id = wanted.message_id OFFSET 0) AS middle
    CROSS JOIN LATERAL (
      SELECT last_position FROM threads WHERE workspace_id = ${workspaceID} AND id = wanted.thread_id OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT greatest(1, least(middle.position - wanted.size / 2, t.last_position - wanted.size + 1)) AS start) AS page
    CROSS JOIN LATERAL (
      SELECT * FROM messages
      WHERE workspace_id = ${workspaceID} AND thread_id = wanted.thread_id
        AND position >= page.start AND position < page.start + wanted.size OFFSET 0) AS m
    ${joinAuthor}
    WHERE middle.thread_id = wanted.thread_id
    ORDER BY m.position`,
  )
  const found = new Map<string, (AuthoredMessage & PageRow)[]>()
  for (const row of rows) {
    const known = found.get(row.pageKey)
    if (known) known.push(row)
    else found.set(row.pageKey, [row])
  }
  return new Map([...found].map(([key, nodes]) => [key, pageOfRange(nodes)]))
})

function pageOfRange(nodes: (AuthoredMessage & PageRow)[]): Connection<AuthoredMessage> {
  const [first, last] = [nodes[0], nodes.at(-1)]
  return connectionOf<AuthoredMessage>(nodes, byPosition, {
    hasNextPage: last !== undefined && last.position < last.lastPosition,
    hasPreviousPage: first !== undefined && first.position > 1,
  })
}
