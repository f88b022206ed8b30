import type { Context } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { pageLoader, selectLoader } from '../../database/loader.ts'
import type { PageArgs } from '../../database/paging.ts'
import { type ButtonPress, Prisma } from '../../generated/prisma/client.ts'
import type { AuthoredMessage } from '../rows.ts'
import type { Button } from './buttons-input.ts'

/** `key` consists of the message's ID, the revision of its buttons and the ID of the button. */
export type MessageButton = Button & { workspaceID: string; key: string }
export type Press = Pick<ButtonPress, 'workspaceID' | 'userID' | 'pressedAt'>
type PressCount = { id: string; count: number; viewerPressedAt: Date | null }

export function buttonsOf(message: AuthoredMessage): MessageButton[] {
  const { workspaceID, id, buttons, buttonsRevision } = message
  return ((buttons ?? []) as Button[]).map((button) => ({
    ...button,
    workspaceID,
    key: `${id} ${buttonsRevision} ${button.id ?? ''}`,
  }))
}

// The rows `p` of presses on the button with a key.
const pressesBy = (workspaceID: string, key: Prisma.Sql) => Prisma.sql`(
    SELECT * FROM button_presses
    WHERE workspace_id = ${workspaceID} AND message_id = split_part(${key}, ' ', 1)
      AND buttons_revision = split_part(${key}, ' ', 2)::integer AND button_id = split_part(${key}, ' ', 3) OFFSET 0) AS p`

const loadPresses = pageLoader<Context, Press>((_ctx, workspaceID) => ({
  name: 'presses',
  columns: Prisma.sql`p.workspace_id AS "workspaceID", p.user_id AS "userID", p.pressed_at AS "pressedAt", p.number`,
  from: pressesBy(workspaceID, Prisma.sql`parent.id`),
  where: Prisma.sql`TRUE`,
  keys: [{ column: Prisma.sql`p.number`, type: 'bigint' }],
}))

const loadCount = selectLoader<Context, PressCount>(
  ({ actor }, workspaceID, keys) => Prisma.sql`
    SELECT wanted.id, count(*)::integer AS count,
      max(p.pressed_at) FILTER (WHERE p.user_id = ${actor.kind === 'user' ? actor.userID : null}) AS "viewerPressedAt"
    FROM unnest(${keys}::text[]) AS wanted (id) CROSS JOIN LATERAL ${pressesBy(workspaceID, Prisma.sql`wanted.id`)}
    GROUP BY wanted.id`,
)

/** Returns the presses in the order in which they were made. */
export function listPresses(
  ctx: Context,
  { workspaceID, key }: MessageButton,
  args: PageArgs,
): Promise<Connection<Press>> {
  return loadPresses(ctx, { workspaceID, id: key }, args)
}

export async function countPresses(
  ctx: Context,
  { workspaceID, key }: MessageButton,
): Promise<Omit<PressCount, 'id'>> {
  return (await loadCount(ctx, workspaceID, key)) ?? { count: 0, viewerPressedAt: null }
}
