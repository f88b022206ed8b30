import { hasActiveWebhook } from '../../apps/webhooks/access.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { execute } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID } from '../../platform/ids.ts'
import { databaseForBackground } from '../../platform/request-database.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import type { EncryptionKeys } from '../../platform/secrets/encryption.ts'
import { findEncryptionKeys } from '../../platform/secrets/encryption-keys.ts'
import { encodeContent } from './call-content.ts'
import { type CallOutcome, type CallResult, callsPerWebhook, type NewCall } from './webhook-call.ts'

type Calls = { db: Database; config: Config; calls: readonly NewCall[] }

/** Stores calls. Leaves out the calls of webhooks that have been disabled or have a new key. */
export async function storeCalls({ db, config, calls }: Calls): Promise<void> {
  const keys = findEncryptionKeys(config)
  const background = databaseForBackground(db)
  // IDs ascend in the order of the calls. The rows can be encoded in another order.
  const numbered = calls.map((call) => ({ ...call, id: call.id ?? newID('whc') }))
  const rows = await Promise.all(
    numbered.map((call) => inTurns(background, call.content?.body.length ?? 0, () => rowOf(call, keys))),
  )
  await execute(background, insertion(rows), { isLong: true })
}

type NumberedCall = NewCall & { id: string }

function rowOf({ results, content, ...call }: NumberedCall, keys: EncryptionKeys | undefined) {
  return {
    messageIDs: unique(results.map(({ messageID }) => messageID)),
    threadIDs: unique(results.map(({ threadID }) => threadID)),
    outcome: JSON.stringify(outcomeOf({ ...call, results })),
    content: (content && encodeContent(content, call.id, keys))?.toString('base64') ?? null,
    secondsAgo: (performance.now() - call.answeredAt) / 1000,
    ...call,
  }
}

function outcomeOf({
  results,
  ...call
}: Pick<NewCall, 'results' | 'skipped' | 'problems' | 'ignored'>): CallOutcome {
  const count = (is: (result: CallResult) => boolean) => results.filter(is).length
  return {
    created: count(({ created }) => created),
    updated: count(({ created, isStale }) => !created && !isStale),
    stale: count(({ isStale }) => isStale),
    skipped: call.skipped && storable(call.skipped),
    problems: call.problems.map(storable),
    ignored: call.ignored.map(storable),
  }
}

// PostgreSQL cannot store NUL and unpaired surrogates.
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** IDs have no spaces. Therefore a text can hold a list of them, because PostgreSQL has no array of lists. */
function unique(ids: readonly string[]): string {
  return [...new Set(ids)].join(' ')
}

type Row = ReturnType<typeof rowOf>

// Only one process at a time removes old rows, because two could wait for each other. Whoever else changes these rows
// skips those that are locked. The webhooks are locked, so that no call of a webhook is stored while its row is deleted.
function insertion(rows: readonly Row[]): Prisma.Sql {
  const column = (of: (row: Row) => unknown) => rows.map(of)
  return Prisma.sql`
    WITH webhook AS MATERIALIZED (
      SELECT id FROM webhooks
      WHERE (workspace_id, id) IN (SELECT * FROM unnest(
        ${column(({ workspaceID }) => workspaceID)}::text[], ${column(({ webhook }) => webhook.id)}::text[]))
      ORDER BY id FOR KEY SHARE
    ), call AS MATERIALIZED (
      SELECT * FROM unnest(
        ${column(({ workspaceID }) => workspaceID)}::text[], ${column(({ webhook }) => webhook.id)}::text[],
        ${column(({ webhook }) => webhook.keyHash)}::text[], ${column(({ id }) => id)}::text[],
        ${column(({ secondsAgo }) => secondsAgo)}::double precision[], ${column(({ method }) => method)}::text[],
        ${column(({ format }) => format)}::text[], ${column(({ targetID }) => targetID)}::text[],
        ${column(({ status }) => status)}::smallint[], ${column(({ sizeBytes }) => sizeBytes)}::integer[],
        ${column(({ outcome }) => outcome)}::text[], ${column(({ messageIDs }) => messageIDs)}::text[],
        ${column(({ threadIDs }) => threadIDs)}::text[], ${column(({ content }) => content)}::text[]
      ) AS call (workspace_id, webhook_id, key_hash, id, seconds_ago, method, format, target_id, status, size_bytes,
        outcome, message_ids, thread_ids, content)
      WHERE ${hasActiveWebhook(Prisma.sql`call.workspace_id`, 'call')} AND webhook_id IN (SELECT id FROM webhook)
    ), old AS MATERIALIZED (
      SELECT o.row FROM (
        SELECT workspace_id, webhook_id, count(*) AS added FROM call GROUP BY workspace_id, webhook_id
      ) AS w CROSS JOIN LATERAL (
        SELECT ctid AS row FROM webhook_calls
        WHERE workspace_id = w.workspace_id AND webhook_id = w.webhook_id
        ORDER BY id DESC OFFSET greatest(${callsPerWebhook}::bigint - w.added, 0)) AS o
      WHERE (SELECT pg_try_advisory_xact_lock(hashtext('skein webhook calls')))
    ), removed AS (
      DELETE FROM webhook_calls WHERE ctid = ANY(ARRAY(SELECT row FROM old))
    )
    INSERT INTO webhook_calls (workspace_id, id, webhook_id, created_at, method, format, target_id, status, size_bytes,
      outcome, message_ids, thread_ids, content)
    SELECT workspace_id, id, webhook_id, clock_timestamp() - make_interval(secs => seconds_ago), method, format,
      target_id, status, size_bytes, outcome::jsonb, string_to_array(message_ids, ' '), string_to_array(thread_ids, ' '),
      CASE WHEN NOT EXISTS (
        SELECT FROM messages
        WHERE workspace_id = call.workspace_id AND id = ANY(string_to_array(call.message_ids, ' '))
          AND deleted_at IS NOT NULL OFFSET 0
      ) THEN decode(content, 'base64') END
    FROM call`
}
