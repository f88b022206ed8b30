import { z } from 'zod'
import { cachedPerLimits } from '../../config.ts'
import { type Context, requireScope, type UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { conflictAt, invalidField } from '../../errors.ts'
import { notingEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { requirePerson } from '../../users/access.ts'
import { accessMessage } from '../access.ts'
import { upsertKey } from '../fields.ts'

const inputFor = cachedPerLimits((limits) =>
  z.object({
    messageID: id,
    buttonID: id,
    buttonsRevision: z.int32('must be a whole number'),
    clientKey: upsertKey(limits),
  }),
)
type PressInput = z.output<ReturnType<typeof inputFor>>
export type PressResult = { messageID: string }

/** Presses a button as a person. Pressing it again with the same `clientKey` changes nothing. */
export async function pressButton(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<PressResult> {
  requireScope(ctx, 'threads.messages:write')
  const parsed = parseInput(inputFor(ctx.config.limits), input)
  const { messageID, buttonID } = parsed
  await requirePerson(ctx)
  const [press] = await query<{ isPressed: boolean; isButton: boolean; isDeleted: boolean }>(
    ctx.db,
    pressStatement(ctx.actor, parsed),
  )
  if (!press) await accessMessage(ctx, messageID, 'threads.messages:write')
  if (press?.isPressed) return { messageID }
  const earlier = await buttonPressedWith(ctx, parsed)
  if (earlier === buttonID) return { messageID }
  if (earlier !== undefined) throw invalidField('clientKey', `was used to press the button ${earlier}`)
  if (press?.isDeleted) throw conflictAt('message_deleted', 'messageID', 'refers to a deleted message')
  if (!press?.isButton)
    throw conflictAt('button_gone', 'buttonID', 'refers to a button that the message does not have any more')
  throw conflictAt('already_pressed', 'buttonID', 'refers to a button that you have pressed already')
}

// Locks the message until the commit, because a call that replaces the buttons changes their revision.
function pressStatement(
  { workspaceID, userID }: UserActor,
  { messageID, buttonID, buttonsRevision, clientKey }: PressInput,
): Prisma.Sql {
  return Prisma.sql`
    WITH message AS MATERIALIZED (
      SELECT m.id, m.thread_id, m.buttons_revision, m.buttons, m.deleted_at
      FROM messages m JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
      WHERE m.workspace_id = ${workspaceID} AND m.id = ${messageID} AND t.viewer_id = ${userID}
      FOR SHARE OF m
    ), button AS (
      SELECT message.* FROM message CROSS JOIN LATERAL jsonb_array_elements(message.buttons) AS button (fields)
      WHERE message.deleted_at IS NULL AND message.buttons_revision = ${buttonsRevision}
        AND button.fields->>'id' = ${buttonID} AND button.fields->>'url' IS NULL
    ), pressed AS (
      INSERT INTO button_presses (workspace_id, message_id, buttons_revision, button_id, user_id, client_key)
      SELECT ${workspaceID}, id, buttons_revision, ${buttonID}, ${userID}, ${clientKey} FROM button
      ON CONFLICT DO NOTHING RETURNING workspace_id, message_id
    )${notingEvents(
      Prisma.sql`
        SELECT pressed.workspace_id, 'message.buttonPressed', button.thread_id, pressed.message_id,
          jsonb_build_object('buttonID', ${buttonID}::text, 'userID', ${userID}::text)
        FROM pressed CROSS JOIN button`,
      { hasDetails: true },
    )}
    SELECT EXISTS (SELECT FROM pressed) AS "isPressed", EXISTS (SELECT FROM button) AS "isButton",
      deleted_at IS NOT NULL AS "isDeleted" FROM message`
}

/** Returns the ID of the button that the caller pressed with a key, also if the button has been replaced since. */
async function buttonPressedWith(
  { db, actor: { workspaceID, userID } }: Context<UserActor>,
  { messageID, clientKey }: PressInput,
): Promise<string | undefined> {
  const found = await db.buttonPress.findFirst({
    where: { workspaceID, messageID, userID, clientKey },
    select: { buttonID: true },
  })
  return found?.buttonID
}
