import type { Context, UserActor } from '../../context.ts'
import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { toGroupID } from '../../groups/general-group-id.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import { mentionedIDs } from '../../text/markdown/render-markdown.ts'

/** Returns the IDs of the users and groups that a text mentions. The texts of most messages are not parsed. */
export async function mentionsOf(ctx: Context<UserActor>, text: string): Promise<string[]> {
  if (!text.includes('](')) return []
  const ids = await inTurns(ctx.db, text.length, () => mentionedIDs(text, ctx.config.mentionSchemes))
  return [...new Set(ids.map(toGroupID))]
}

/** One element for each mention: the draft's ID, and the ID of the user or group. */
export type MentionArrays<Column> = { draftIDs: Column; targetIDs: Column }

export function mentionArrays(
  drafts: readonly { id: string; mentionIDs: readonly string[] }[],
): MentionArrays<string[]> {
  const mentions = drafts.flatMap(({ id, mentionIDs }) =>
    mentionIDs.map((targetID) => [id, targetID] as const),
  )
  return {
    draftIDs: mentions.map(([draftID]) => draftID),
    targetIDs: mentions.map(([, targetID]) => targetID),
  }
}

/** Returns the column `shows_mentions` of a message: whether its mentions mean somebody. */
export function showsMentions(messages: 'messages' | 'm'): Prisma.Sql {
  return Prisma.raw(`${messages}.allow_mentions AND NOT ${messages}.is_plain AS shows_mentions`)
}

/**
 * Returns CTEs that store the mentions of the messages of `source`, a SELECT of `workspace_id`, `draft_id`, `thread_id`,
 * `position`, `at`, `has_text`, `calls` and `shows_mentions`. A changed text replaces the mentions of the message. A call
 * mentions again. `mentioned` has the new mentions.
 */
export function writeMentions(
  { draftIDs, targetIDs }: MentionArrays<Value>,
  source: Prisma.Sql,
  { isNewThread = false } = {},
): Prisma.Sql {
  return Prisma.sql`, mentioning AS (${source}), named AS (
      SELECT m.*, target.id AS target_id
      FROM unnest(${draftIDs}::text[], ${targetIDs}::text[]) AS of_draft (draft_id, target_id)
      JOIN mentioning m ON m.draft_id = of_draft.draft_id CROSS JOIN LATERAL (
        SELECT id FROM users WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
        UNION ALL SELECT id FROM groups WHERE workspace_id = m.workspace_id AND id = of_draft.target_id) AS target
    )${isNewThread ? Prisma.empty : mentionsOfChanged}, mentioned AS (
      INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
      SELECT workspace_id, thread_id, position, target_id, at FROM named
      ON CONFLICT DO NOTHING RETURNING workspace_id, thread_id, position, target_id, mentioned_at
    )`
}

const isNamed = Prisma.sql`EXISTS (
        SELECT FROM named WHERE (workspace_id, thread_id, position, target_id)
          = (m.workspace_id, m.thread_id, m.position, m.target_id))`

const mentionsOfChanged = Prisma.sql`, unmentioned AS (
      DELETE FROM mentions m USING mentioning changed
      WHERE changed.has_text AND m.workspace_id = changed.workspace_id AND m.thread_id = changed.thread_id
        AND m.position = changed.position AND NOT ${isNamed}
    ), mentioned_again AS (
      UPDATE mentions m SET mentioned_at = changed.at FROM mentioning changed
      WHERE changed.calls AND m.workspace_id = changed.workspace_id AND m.thread_id = changed.thread_id
        AND m.position = changed.position AND (NOT changed.has_text OR ${isNamed})
    )`
