-- Deletes from access_tokens, apps, attachments, button_presses, event_attempts, event_batches, event_deliveries, event_endpoints, event_heads, event_listeners, event_notes, event_queues, files, follows, former_members, grants, group_members, groups, installations, mentions, messages, muted_threads, personal_access_tokens, pins, reactions, read_floors, reads, recipients, redirect_uris, refresh_tokens, search_progress, searchable_messages, sign_in_links, threads, upload_tickets, users, webhook_calls, webhooks, workspace_storage, workspaces.
WITH of_access_tokens AS (DELETE FROM access_tokens WHERE workspace_id = $1), of_apps AS (
  DELETE FROM apps
  WHERE workspace_id = $2
), of_attachments AS (DELETE FROM attachments WHERE workspace_id = $3), of_button_presses AS (
  DELETE FROM button_presses
  WHERE workspace_id = $4
), of_event_attempts AS (DELETE FROM event_attempts WHERE workspace_id = $5), of_event_batches AS (
  DELETE FROM event_batches
  WHERE workspace_id = $6
), of_event_deliveries AS (DELETE FROM event_deliveries WHERE workspace_id = $7), of_event_endpoints AS (
  DELETE FROM event_endpoints
  WHERE workspace_id = $8
), of_event_heads AS (DELETE FROM event_heads WHERE workspace_id = $9), of_event_listeners AS (
  DELETE FROM event_listeners
  WHERE workspace_id = $10
), of_event_notes AS (DELETE FROM event_notes WHERE workspace_id = $11), of_event_queues AS (
  DELETE FROM event_queues
  WHERE workspace_id = $12
), of_files AS (DELETE FROM files WHERE workspace_id = $13), of_follows AS (
  DELETE FROM follows
  WHERE workspace_id = $14
), of_former_members AS (DELETE FROM former_members WHERE workspace_id = $15), of_grants AS (
  DELETE FROM grants
  WHERE workspace_id = $16
), of_group_members AS (DELETE FROM group_members WHERE workspace_id = $17), of_groups AS (
  DELETE FROM groups
  WHERE workspace_id = $18
), of_installations AS (DELETE FROM installations WHERE workspace_id = $19), of_mentions AS (
  DELETE FROM mentions
  WHERE workspace_id = $20
), of_messages AS (DELETE FROM messages WHERE workspace_id = $21), of_muted_threads AS (
  DELETE FROM muted_threads
  WHERE workspace_id = $22
), of_personal_access_tokens AS (DELETE FROM personal_access_tokens WHERE workspace_id = $23), of_pins AS (
  DELETE FROM pins
  WHERE workspace_id = $24
), of_reactions AS (DELETE FROM reactions WHERE workspace_id = $25), of_read_floors AS (
  DELETE FROM read_floors
  WHERE workspace_id = $26
), of_reads AS (DELETE FROM reads WHERE workspace_id = $27), of_recipients AS (
  DELETE FROM recipients
  WHERE workspace_id = $28
), of_redirect_uris AS (DELETE FROM redirect_uris WHERE workspace_id = $29), of_refresh_tokens AS (
  DELETE FROM refresh_tokens
  WHERE workspace_id = $30
), of_search_progress AS (DELETE FROM search_progress WHERE workspace_id = $31), of_searchable_messages AS (
  DELETE FROM searchable_messages
  WHERE workspace_id = $32
), of_sign_in_links AS (DELETE FROM sign_in_links WHERE workspace_id = $33), of_threads AS (
  DELETE FROM threads
  WHERE workspace_id = $34
), of_upload_tickets AS (DELETE FROM upload_tickets WHERE workspace_id = $35), of_users AS (
  DELETE FROM users
  WHERE workspace_id = $36
), of_webhook_calls AS (DELETE FROM webhook_calls WHERE workspace_id = $37), of_webhooks AS (
  DELETE FROM webhooks
  WHERE workspace_id = $38
), of_workspace_storage AS (DELETE FROM workspace_storage WHERE workspace_id = $39)
DELETE FROM workspaces
WHERE id = $40;

-- Deletes from event_listeners.
DELETE FROM "public"."event_listeners"
WHERE (
  "public"."event_listeners"."workspace_id" = $1
    AND "public"."event_listeners"."endpoint_id" = $2
    AND "public"."event_listeners"."event_workspace_id" <> $3
);

-- Inserts into event_attempts. Updates event_deliveries, event_queues. Reads event_endpoints.
WITH own AS (
  UPDATE event_queues
  SET claim = claim + 1, pending = pending - $1, next_attempt_at = CASE WHEN pending > $2 THEN
    date_trunc('milliseconds', now()) + $3::float8 * interval '1 millisecond' END
  WHERE workspace_id = $4 AND endpoint_id = $5 AND key = $6 AND claim = $7 AND pending > 0
  RETURNING workspace_id, endpoint_id, claim
), delivery AS (
  UPDATE event_deliveries d
  SET status = $8, attempt_count = d.attempt_count + $9, retry_count = d.retry_count + $10
  FROM own
  WHERE d.workspace_id = own.workspace_id AND d.id = $11
  RETURNING d.workspace_id, d.id, d.attempt_count
), attempt AS (
  INSERT INTO event_attempts
    (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
  SELECT workspace_id, id, attempt_count, $12::timestamptz, $13::integer, $14::smallint, $15::text, $16::text
  FROM delivery
  WHERE $17 = 1
)
SELECT own.claim, e.workspace_id AS "endpointWorkspaceID", e.id AS "endpointId", e.app_id AS "endpointAppID",
  e.webhook_id AS "endpointWebhookID", e.url AS "endpointUrl", e.types AS "endpointTypes",
  e.group_id AS "endpointGroupID", e.secret AS "endpointSecret",
  e.previous_secret AS "endpointPreviousSecret", e.previous_secret_ends_at AS "endpointPreviousSecretEndsAt",
  e.state AS "endpointState", e.failing_since AS "endpointFailingSince", e.creator_id AS "endpointCreatorID",
  e.created_at AS "endpointCreatedAt", e.deleted_at AS "endpointDeletedAt",
  coalesce(e.previous_secret_ends_at > now(), FALSE) AS "isPreviousSecretValid",
  coalesce(e.failing_since <= now() - $18::float8 * interval '1 millisecond', FALSE) AS "hasFailedTooLong"
FROM own
JOIN event_endpoints e ON e.workspace_id = own.workspace_id AND e.id = own.endpoint_id;

-- Inserts into event_deliveries, event_queues.
WITH queue AS (
  INSERT INTO event_queues (workspace_id, endpoint_id, key, pending, next_attempt_at)
  VALUES ($1, $2, $3, 1, date_trunc('milliseconds', now()))
)
INSERT INTO event_deliveries AS d (
  workspace_id, id, endpoint_id, key, event_workspace_id, type, object_id, event_created_at, started_at,
    created_at
)
VALUES (
  $4, $5, $6, $7, $8, $9, $10, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
    date_trunc('milliseconds', now())
)
RETURNING d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
  d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
  d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
  d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
  d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt";

-- Inserts into event_deliveries, event_queues. Updates event_listeners.
WITH moved AS (
  UPDATE event_listeners
  SET position = $1::bigint, is_resuming = FALSE
  WHERE workspace_id = $2 AND endpoint_id = $3 AND event_workspace_id = $4 AND position = $5::bigint
  RETURNING workspace_id, endpoint_id, event_workspace_id
), delivered AS (
  INSERT INTO event_deliveries (
    workspace_id, endpoint_id, event_workspace_id, id, key, position, tag, type, thread_id, object_id,
      details, event_created_at, started_at, created_at
  )
  SELECT moved.*, d.*, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  FROM moved
  CROSS JOIN unnest(
    $6::text[], $7::text[], $8::bigint[], $9::integer[], $10::text[], $11::text[], $12::text[], $13::jsonb[],
      $14::timestamptz[]
  ) AS d
), queued AS (
  INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
  SELECT workspace_id, endpoint_id, k.key, k.count, date_trunc('milliseconds', now())
  FROM moved
  CROSS JOIN unnest($15::text[], $16::integer[]) AS k (key, count)
  ORDER BY k.key COLLATE "C"
  ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
  SET pending = q.pending + excluded.pending,
    next_attempt_at = coalesce(q.next_attempt_at, excluded.next_attempt_at)
)
SELECT
FROM moved;

-- Inserts into event_endpoints.
INSERT INTO "public"."event_endpoints"
  ("workspace_id", "id", "app_id", "webhook_id", "url", "types", "group_id", "secret", "state", "creator_id")
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at";

-- Inserts into event_listeners. Reads event_batches, event_endpoints, event_heads, event_listeners, installations.
INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position, is_resuming)
SELECT e.workspace_id, e.id, i.workspace_id, coalesce(
  installed.position - 1, (SELECT position FROM event_heads WHERE workspace_id = i.workspace_id), 0
), TRUE
FROM installations i
CROSS JOIN LATERAL (
  SELECT *
  FROM event_endpoints
  WHERE workspace_id = i.app_workspace_id AND app_id = i.app_id AND deleted_at IS NULL
  OFFSET 0
) AS e
LEFT JOIN LATERAL (
  SELECT b.last_position - cardinality(b.types) + part.place AS position
  FROM event_batches b
  CROSS JOIN LATERAL unnest(b.types, b.object_ids) WITH ORDINALITY AS part (type, object_id, place)
  WHERE b.workspace_id = i.workspace_id AND part.type = 'app.installed' AND part.object_id = i.app_id
  ORDER BY b.last_position DESC, part.place DESC
  LIMIT 1
) AS installed ON TRUE
WHERE i.uninstalled_at IS NULL
  AND i.workspace_id = ANY ($1::text[])
  AND e.group_id IS NULL
  AND NOT EXISTS (
    SELECT
    FROM event_listeners l
    WHERE l.workspace_id = e.workspace_id AND l.endpoint_id = e.id AND l.event_workspace_id = i.workspace_id
    OFFSET 0
  )
ON CONFLICT DO NOTHING;

-- Inserts into event_listeners. Reads event_heads, installations.
INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position)
SELECT $1, $2, place.id, coalesce(h.position, 0)
FROM (
  SELECT workspace_id
  FROM installations
  WHERE app_workspace_id = $3 AND app_id = $4 AND uninstalled_at IS NULL
) AS place (id)
LEFT JOIN event_heads h ON h.workspace_id = place.id
ON CONFLICT DO NOTHING;

-- Inserts into event_listeners. Reads event_heads.
INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position)
SELECT $1, $2, place.id, coalesce(h.position, 0)
FROM (SELECT $3::text) AS place (id)
LEFT JOIN event_heads h ON h.workspace_id = place.id
ON CONFLICT DO NOTHING;

-- Inserts into event_queues. Updates event_deliveries, event_queues. Reads event_deliveries, event_queues.
WITH chosen AS MATERIALIZED (
  SELECT workspace_id, id, key, created_at
  FROM event_deliveries
  WHERE workspace_id = $1
    AND endpoint_id = $2
    AND status <> 'pending'
    AND (created_at, id) > ($3::timestamptz, $4)
    AND created_at < $5::timestamptz
  ORDER BY created_at, id
  LIMIT 1000
), held AS MATERIALIZED (
  SELECT q.key
  FROM (SELECT DISTINCT key FROM chosen ORDER BY key) AS c
  CROSS JOIN LATERAL (
    SELECT key
    FROM event_queues
    WHERE workspace_id = $6 AND endpoint_id = $7 AND key = c.key
    FOR UPDATE
  ) AS q
), locked AS MATERIALIZED (
  SELECT d.workspace_id, d.id, d.key, d.status
  FROM (SELECT * FROM chosen WHERE (SELECT count(*) FROM held) >= 0 ORDER BY id) AS c
  CROSS JOIN LATERAL (
    SELECT workspace_id, id, key, status
    FROM event_deliveries
    WHERE workspace_id = c.workspace_id AND id = c.id
    FOR UPDATE
  ) AS d
), replayed AS (
  UPDATE event_deliveries d
  SET status = 'pending', retry_count = 0, started_at = date_trunc('milliseconds', now())
  FROM locked
  WHERE d.workspace_id = locked.workspace_id AND d.id = locked.id
  RETURNING d.id
), counted AS (SELECT key, count(*) FILTER (WHERE status <> 'pending') AS added FROM locked GROUP BY key),
  queued AS (
  INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
  SELECT $8, $9, key, added, date_trunc('milliseconds', now())
  FROM counted
  WHERE added > 0
  ORDER BY key
  ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
  SET pending = q.pending + excluded.pending, next_attempt_at = excluded.next_attempt_at
), hastened AS (
  UPDATE event_queues q
  SET next_attempt_at = date_trunc('milliseconds', now())
  FROM counted
  WHERE q.workspace_id = $10
    AND q.endpoint_id = $11
    AND q.key = counted.key
    AND counted.added = 0
    AND q.pending > 0
)
SELECT chosen.id, chosen.created_at AS "createdAt", replayed.id IS NOT NULL AS "isReplayed"
FROM chosen
LEFT JOIN replayed USING (id)
ORDER BY chosen.created_at, chosen.id;

-- Inserts into event_queues. Updates event_deliveries, event_queues. Reads event_deliveries, event_queues.
WITH chosen AS MATERIALIZED (
  SELECT workspace_id, id, key, created_at
  FROM event_deliveries
  WHERE workspace_id = $1
    AND endpoint_id = $2
    AND status = 'failed'
    AND (created_at, id) > ($3::timestamptz, $4)
    AND created_at < $5::timestamptz
  ORDER BY created_at, id
  LIMIT 1000
), held AS MATERIALIZED (
  SELECT q.key
  FROM (SELECT DISTINCT key FROM chosen ORDER BY key) AS c
  CROSS JOIN LATERAL (
    SELECT key
    FROM event_queues
    WHERE workspace_id = $6 AND endpoint_id = $7 AND key = c.key
    FOR UPDATE
  ) AS q
), locked AS MATERIALIZED (
  SELECT d.workspace_id, d.id, d.key, d.status
  FROM (SELECT * FROM chosen WHERE (SELECT count(*) FROM held) >= 0 ORDER BY id) AS c
  CROSS JOIN LATERAL (
    SELECT workspace_id, id, key, status
    FROM event_deliveries
    WHERE workspace_id = c.workspace_id AND id = c.id
    FOR UPDATE
  ) AS d
), replayed AS (
  UPDATE event_deliveries d
  SET status = 'pending', retry_count = 0, started_at = date_trunc('milliseconds', now())
  FROM locked
  WHERE d.workspace_id = locked.workspace_id AND d.id = locked.id
  RETURNING d.id
), counted AS (SELECT key, count(*) FILTER (WHERE status <> 'pending') AS added FROM locked GROUP BY key),
  queued AS (
  INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
  SELECT $8, $9, key, added, date_trunc('milliseconds', now())
  FROM counted
  WHERE added > 0
  ORDER BY key
  ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
  SET pending = q.pending + excluded.pending, next_attempt_at = excluded.next_attempt_at
), hastened AS (
  UPDATE event_queues q
  SET next_attempt_at = date_trunc('milliseconds', now())
  FROM counted
  WHERE q.workspace_id = $10
    AND q.endpoint_id = $11
    AND q.key = counted.key
    AND counted.added = 0
    AND q.pending > 0
)
SELECT chosen.id, chosen.created_at AS "createdAt", replayed.id IS NOT NULL AS "isReplayed"
FROM chosen
LEFT JOIN replayed USING (id)
ORDER BY chosen.created_at, chosen.id;

-- Inserts into event_queues. Updates event_deliveries, event_queues. Reads event_deliveries, event_queues.
WITH chosen AS MATERIALIZED (
  SELECT workspace_id, id, key, created_at
  FROM event_deliveries
  WHERE workspace_id = $1 AND id = $2
), held AS MATERIALIZED (
  SELECT q.key
  FROM (SELECT DISTINCT key FROM chosen ORDER BY key) AS c
  CROSS JOIN LATERAL (
    SELECT key
    FROM event_queues
    WHERE workspace_id = $3 AND endpoint_id = $4 AND key = c.key
    FOR UPDATE
  ) AS q
), locked AS MATERIALIZED (
  SELECT d.workspace_id, d.id, d.key, d.status
  FROM (SELECT * FROM chosen WHERE (SELECT count(*) FROM held) >= 0 ORDER BY id) AS c
  CROSS JOIN LATERAL (
    SELECT workspace_id, id, key, status
    FROM event_deliveries
    WHERE workspace_id = c.workspace_id AND id = c.id
    FOR UPDATE
  ) AS d
), replayed AS (
  UPDATE event_deliveries d
  SET status = 'pending', retry_count = 0, started_at = date_trunc('milliseconds', now())
  FROM locked
  WHERE d.workspace_id = locked.workspace_id AND d.id = locked.id
  RETURNING d.id
), counted AS (SELECT key, count(*) FILTER (WHERE status <> 'pending') AS added FROM locked GROUP BY key),
  queued AS (
  INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
  SELECT $5, $6, key, added, date_trunc('milliseconds', now())
  FROM counted
  WHERE added > 0
  ORDER BY key
  ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
  SET pending = q.pending + excluded.pending, next_attempt_at = excluded.next_attempt_at
), hastened AS (
  UPDATE event_queues q
  SET next_attempt_at = date_trunc('milliseconds', now())
  FROM counted
  WHERE q.workspace_id = $7
    AND q.endpoint_id = $8
    AND q.key = counted.key
    AND counted.added = 0
    AND q.pending > 0
)
SELECT chosen.id, chosen.created_at AS "createdAt", replayed.id IS NOT NULL AS "isReplayed"
FROM chosen
LEFT JOIN replayed USING (id)
ORDER BY chosen.created_at, chosen.id;

-- Reads apps, event_endpoints, webhooks.
SELECT e.workspace_id AS "workspaceID", e.id AS "id", e.app_id AS "appID", e.webhook_id AS "webhookID",
  e.url AS "url", e.types AS "types", e.group_id AS "groupID", e.secret AS "secret",
  e.previous_secret AS "previousSecret", e.previous_secret_ends_at AS "previousSecretEndsAt",
  e.state AS "state", e.failing_since AS "failingSince", e.creator_id AS "creatorID",
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt"
FROM (SELECT * FROM event_endpoints WHERE id = $1 OFFSET 0) AS e
WHERE e.deleted_at IS NULL
  AND (
    EXISTS (
      SELECT
      FROM (SELECT * FROM apps WHERE deleted_at IS NULL) AS a
      WHERE a.workspace_id = e.workspace_id AND a.id = e.app_id
      OFFSET 0
    )
      OR EXISTS (
        SELECT
        FROM (SELECT * FROM webhooks WHERE deleted_at IS NULL) AS h
        WHERE h.workspace_id = e.workspace_id AND h.id = e.webhook_id
        OFFSET 0
      )
  );

-- Reads event_attempts, event_deliveries.
SELECT a.workspace_id AS "workspaceID", a.delivery_id AS "deliveryID", a.number AS "number",
  a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.status AS "status", a.error AS "error",
  a.response AS "response"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM event_deliveries WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS
  d
CROSS JOIN LATERAL (
  SELECT *
  FROM event_attempts
  WHERE workspace_id = $3 AND delivery_id = d.id
  ORDER BY number DESC
  LIMIT $4
  OFFSET 0
) AS a
ORDER BY a.number;

-- Reads event_deliveries.
SELECT "public"."event_deliveries"."workspace_id", "public"."event_deliveries"."id",
  "public"."event_deliveries"."endpoint_id", "public"."event_deliveries"."key",
  "public"."event_deliveries"."event_workspace_id", "public"."event_deliveries"."position",
  "public"."event_deliveries"."tag", "public"."event_deliveries"."type",
  "public"."event_deliveries"."thread_id", "public"."event_deliveries"."object_id",
  "public"."event_deliveries"."details", "public"."event_deliveries"."event_created_at",
  "public"."event_deliveries"."status", "public"."event_deliveries"."attempt_count",
  "public"."event_deliveries"."retry_count", "public"."event_deliveries"."started_at",
  "public"."event_deliveries"."created_at"
FROM "public"."event_deliveries"
WHERE "public"."event_deliveries"."id" = $1
LIMIT $2
OFFSET $3;

-- Reads event_deliveries.
SELECT "public"."event_deliveries"."workspace_id", "public"."event_deliveries"."id",
  "public"."event_deliveries"."endpoint_id", "public"."event_deliveries"."key",
  "public"."event_deliveries"."event_workspace_id", "public"."event_deliveries"."position",
  "public"."event_deliveries"."tag", "public"."event_deliveries"."type",
  "public"."event_deliveries"."thread_id", "public"."event_deliveries"."object_id",
  "public"."event_deliveries"."details", "public"."event_deliveries"."event_created_at",
  "public"."event_deliveries"."status", "public"."event_deliveries"."attempt_count",
  "public"."event_deliveries"."retry_count", "public"."event_deliveries"."started_at",
  "public"."event_deliveries"."created_at"
FROM "public"."event_deliveries"
WHERE (("public"."event_deliveries"."workspace_id" = $1 AND "public"."event_deliveries"."id" = $2) AND 1=1)
LIMIT $3
OFFSET $4;

-- Reads event_deliveries.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
    d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
    d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
    d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
    d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt"
  FROM event_deliveries d
  WHERE d.workspace_id = $2 AND d.endpoint_id = parent.id
  ORDER BY d.created_at ASC, d.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads event_deliveries.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
    d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
    d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
    d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
    d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt"
  FROM event_deliveries d
  WHERE d.workspace_id = $2 AND d.endpoint_id = parent.id
  ORDER BY d.created_at DESC, d.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads event_deliveries.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
    d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
    d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
    d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
    d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt"
  FROM event_deliveries d
  WHERE d.workspace_id = $2 AND d.endpoint_id = parent.id AND d.status = 'failed'
  ORDER BY d.created_at ASC, d.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads event_deliveries.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
    d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
    d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
    d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
    d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt"
  FROM event_deliveries d
  WHERE d.workspace_id = $2 AND d.endpoint_id = parent.id AND d.status = 'succeeded'
  ORDER BY d.created_at ASC, d.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads event_endpoints, event_heads, event_listeners.
SELECT l.workspace_id AS "workspaceID", l.endpoint_id AS "endpointID",
  l.event_workspace_id AS "eventWorkspaceID", l.position AS "position", l.is_resuming AS "isResuming"
FROM unnest($1::text[]) AS changed (id)
CROSS JOIN LATERAL (SELECT * FROM event_listeners WHERE event_workspace_id = changed.id OFFSET 0) AS l
JOIN event_heads h ON h.workspace_id = l.event_workspace_id
JOIN event_endpoints e ON e.workspace_id = l.workspace_id AND e.id = l.endpoint_id
WHERE (l.position < h.position OR l.is_resuming) AND e.state = 'active' AND e.deleted_at IS NULL;

-- Reads event_endpoints, event_queues.
WITH RECURSIVE waiting AS (
  SELECT '' COLLATE "C" AS workspace_id, '' COLLATE "C" AS endpoint_id
  UNION ALL
  SELECT following.*
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT workspace_id, endpoint_id
    FROM event_queues q
    WHERE next_attempt_at IS NOT NULL
      AND (q.workspace_id, q.endpoint_id) > (waiting.workspace_id, waiting.endpoint_id)
    ORDER BY workspace_id, endpoint_id
    LIMIT 1
  ) AS following
)
SELECT workspace_id AS "workspaceID", endpoint_id AS "endpointID"
FROM waiting
WHERE EXISTS (
  SELECT
  FROM event_queues q
  WHERE q.workspace_id = waiting.workspace_id
    AND q.endpoint_id = waiting.endpoint_id
    AND q.next_attempt_at <= now()
  OFFSET 0
)
  AND EXISTS (
    SELECT
    FROM event_endpoints e
    WHERE e.workspace_id = waiting.workspace_id
      AND e.id = waiting.endpoint_id
      AND e.state = 'active'
      AND e.deleted_at IS NULL
    OFFSET 0
  );

-- Reads event_endpoints, managed_apps, managed_webhooks.
SELECT e.workspace_id AS "workspaceID", e.id AS "id", e.app_id AS "appID", e.webhook_id AS "webhookID",
  e.url AS "url", e.types AS "types", e.group_id AS "groupID", e.secret AS "secret",
  e.previous_secret AS "previousSecret", e.previous_secret_ends_at AS "previousSecretEndsAt",
  e.state AS "state", e.failing_since AS "failingSince", e.creator_id AS "creatorID",
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM event_endpoints WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS e
WHERE e.deleted_at IS NULL
  AND (
    EXISTS (
      SELECT
      FROM (SELECT * FROM managed_apps WHERE viewer_id = $3) AS a
      WHERE a.workspace_id = e.workspace_id AND a.id = e.app_id
      OFFSET 0
    )
      OR EXISTS (
        SELECT
        FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $4) AS h
        WHERE h.workspace_id = e.workspace_id AND h.id = e.webhook_id
        OFFSET 0
      )
  );

-- Reads event_endpoints.
SELECT "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at"
FROM "public"."event_endpoints"
WHERE "public"."event_endpoints"."id" > $1
ORDER BY "public"."event_endpoints"."id" ASC
LIMIT $2
OFFSET $3;

-- Reads event_endpoints.
SELECT "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at"
FROM "public"."event_endpoints"
WHERE (
  "public"."event_endpoints"."workspace_id" = $1
    AND "public"."event_endpoints"."app_id" = $2
    AND "public"."event_endpoints"."webhook_id" IS NULL
    AND "public"."event_endpoints"."deleted_at" IS NULL
)
ORDER BY "public"."event_endpoints"."created_at" ASC, "public"."event_endpoints"."id" ASC
OFFSET $3;

-- Reads event_endpoints.
SELECT "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at"
FROM "public"."event_endpoints"
WHERE (
  "public"."event_endpoints"."workspace_id" = $1
    AND "public"."event_endpoints"."app_id" IS NULL
    AND "public"."event_endpoints"."webhook_id" = $2
    AND "public"."event_endpoints"."deleted_at" IS NULL
)
ORDER BY "public"."event_endpoints"."created_at" ASC, "public"."event_endpoints"."id" ASC
OFFSET $3;

-- Reads event_endpoints.
SELECT COUNT(*) AS "_count$_all"
FROM (
  SELECT "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id"
  FROM "public"."event_endpoints"
  WHERE (
    "public"."event_endpoints"."workspace_id" = $1
      AND "public"."event_endpoints"."app_id" = $2
      AND "public"."event_endpoints"."webhook_id" IS NULL
      AND "public"."event_endpoints"."deleted_at" IS NULL
  )
  OFFSET $3
) AS "sub";

-- Reads event_endpoints.
SELECT COUNT(*) AS "_count$_all"
FROM (
  SELECT "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id"
  FROM "public"."event_endpoints"
  WHERE (
    "public"."event_endpoints"."workspace_id" = $1
      AND "public"."event_endpoints"."app_id" IS NULL
      AND "public"."event_endpoints"."webhook_id" = $2
      AND "public"."event_endpoints"."deleted_at" IS NULL
  )
  OFFSET $3
) AS "sub";

-- Reads event_endpoints.
SELECT e.workspace_id AS "workspaceID", e.id AS "id", e.app_id AS "appID", e.webhook_id AS "webhookID",
  e.url AS "url", e.types AS "types", e.group_id AS "groupID", e.secret AS "secret",
  e.previous_secret AS "previousSecret", e.previous_secret_ends_at AS "previousSecretEndsAt",
  e.state AS "state", e.failing_since AS "failingSince", e.creator_id AS "creatorID",
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt"
FROM event_endpoints e
WHERE workspace_id = $1 AND id = $2 AND state = 'active' AND deleted_at IS NULL;

-- Reads event_listeners.
SELECT DISTINCT event_workspace_id AS "workspaceID"
FROM event_listeners
WHERE is_resuming AND event_workspace_id > '';

-- Updates event_deliveries, event_queues. Reads event_deliveries, event_queues.
WITH queue AS MATERIALIZED (
  SELECT q.endpoint_id, q.key
  FROM event_deliveries d
  JOIN event_queues q USING (workspace_id, endpoint_id, key)
  WHERE d.workspace_id = $1 AND d.id = $2
  FOR UPDATE OF q
), skipped AS (
  UPDATE event_deliveries d
  SET status = 'skipped'
  FROM queue
  WHERE d.workspace_id = $3 AND d.id = $4 AND d.status = 'pending'
  RETURNING d.id
)
UPDATE event_queues q
SET claim = claim + 1, pending = pending - 1,
  next_attempt_at = CASE WHEN pending > 1 THEN date_trunc('milliseconds', now()) END
FROM queue
CROSS JOIN skipped
WHERE q.workspace_id = $5 AND q.endpoint_id = queue.endpoint_id AND q.key = queue.key AND q.pending > 0;

-- Updates event_deliveries.
UPDATE event_deliveries
SET retry_count = 0
WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'pending' AND retry_count > 0;

-- Updates event_endpoints.
UPDATE "public"."event_endpoints"
SET "secret" = $1
WHERE (
  "public"."event_endpoints"."workspace_id" = $2
    AND "public"."event_endpoints"."id" = $3
    AND "public"."event_endpoints"."secret" = $4
);

-- Updates event_endpoints.
UPDATE "public"."event_endpoints"
SET "secret" = $1, "previous_secret" = $2
WHERE (
  "public"."event_endpoints"."workspace_id" = $3
    AND "public"."event_endpoints"."id" = $4
    AND "public"."event_endpoints"."secret" = $5
);

-- Updates event_endpoints.
UPDATE "public"."event_endpoints"
SET "state" = $1
WHERE (("public"."event_endpoints"."workspace_id" = $2 AND "public"."event_endpoints"."id" = $3) AND 1=1)
RETURNING "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at";

-- Updates event_endpoints.
UPDATE "public"."event_endpoints"
SET "state" = $1, "failing_since" = $2
WHERE (("public"."event_endpoints"."workspace_id" = $3 AND "public"."event_endpoints"."id" = $4) AND 1=1)
RETURNING "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at";

-- Updates event_endpoints.
UPDATE "public"."event_endpoints"
SET "types" = $1, "group_id" = $2
WHERE (("public"."event_endpoints"."workspace_id" = $3 AND "public"."event_endpoints"."id" = $4) AND 1=1)
RETURNING "public"."event_endpoints"."workspace_id", "public"."event_endpoints"."id",
  "public"."event_endpoints"."app_id", "public"."event_endpoints"."webhook_id",
  "public"."event_endpoints"."url", "public"."event_endpoints"."types", "public"."event_endpoints"."group_id",
  "public"."event_endpoints"."secret", "public"."event_endpoints"."previous_secret",
  "public"."event_endpoints"."previous_secret_ends_at", "public"."event_endpoints"."state",
  "public"."event_endpoints"."failing_since", "public"."event_endpoints"."creator_id",
  "public"."event_endpoints"."created_at", "public"."event_endpoints"."deleted_at";

-- Updates event_endpoints.
UPDATE event_endpoints
SET failing_since = coalesce(failing_since, now())
WHERE workspace_id = $1 AND id = $2
RETURNING failing_since AS "failingSince";

-- Updates event_endpoints.
UPDATE event_endpoints e
SET deleted_at = now()
WHERE workspace_id = $1 AND id = $2
RETURNING e.workspace_id AS "workspaceID", e.id AS "id", e.app_id AS "appID", e.webhook_id AS "webhookID",
  e.url AS "url", e.types AS "types", e.group_id AS "groupID", e.secret AS "secret",
  e.previous_secret AS "previousSecret", e.previous_secret_ends_at AS "previousSecretEndsAt",
  e.state AS "state", e.failing_since AS "failingSince", e.creator_id AS "creatorID",
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt";

-- Updates event_endpoints.
UPDATE event_endpoints e
SET secret = $1, previous_secret = secret, previous_secret_ends_at = now() + make_interval(hours => $2)
WHERE workspace_id = $3 AND id = $4 AND deleted_at IS NULL
RETURNING e.workspace_id AS "workspaceID", e.id AS "id", e.app_id AS "appID", e.webhook_id AS "webhookID",
  e.url AS "url", e.types AS "types", e.group_id AS "groupID", e.secret AS "secret",
  e.previous_secret AS "previousSecret", e.previous_secret_ends_at AS "previousSecretEndsAt",
  e.state AS "state", e.failing_since AS "failingSince", e.creator_id AS "creatorID",
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt";

-- Updates event_listeners.
UPDATE "public"."event_listeners"
SET "is_resuming" = $1
WHERE ("public"."event_listeners"."workspace_id" = $2 AND "public"."event_listeners"."endpoint_id" = $3);

-- Updates event_queues.
UPDATE event_queues
SET next_attempt_at = date_trunc('milliseconds', now()) + $1::float8 * interval '1 millisecond'
WHERE workspace_id = $2 AND endpoint_id = $3 AND key = $4 AND claim = $5 AND pending > 0;

-- Updates event_queues. Reads event_deliveries, event_endpoints, event_queues.
WITH endpoint AS MATERIALIZED (
  SELECT *
  FROM event_endpoints
  WHERE workspace_id = $1 AND id = $2 AND state = 'active' AND deleted_at IS NULL
), due AS MATERIALIZED (
  SELECT key
  FROM event_queues
  WHERE workspace_id = $3
    AND endpoint_id = $4
    AND next_attempt_at <= now()
    AND EXISTS (SELECT FROM endpoint)
    AND key <> ALL ($5::text[])
  ORDER BY next_attempt_at
  LIMIT $6
  FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE event_queues q
  SET claim = q.claim + 1,
    next_attempt_at = date_trunc('milliseconds', now()) + $7::float8 * interval '1 millisecond'
  FROM due
  WHERE q.workspace_id = $8 AND q.endpoint_id = $9 AND q.key = due.key
  RETURNING q.key AS "queueKey", q.claim, q.pending
)
SELECT d.workspace_id AS "workspaceID", d.id AS "id", d.endpoint_id AS "endpointID", d.key AS "key",
  d.event_workspace_id AS "eventWorkspaceID", d.position AS "position", d.tag AS "tag", d.type AS "type",
  d.thread_id AS "threadID", d.object_id AS "objectID", d.details AS "details",
  d.event_created_at AS "eventCreatedAt", d.status AS "status", d.attempt_count AS "attemptCount",
  d.retry_count AS "retryCount", d.started_at AS "startedAt", d.created_at AS "createdAt",
  extract(epoch FROM now() - d.started_at)::float8 * 1000 AS "ageMs", e.workspace_id AS "endpointWorkspaceID",
  e.id AS "endpointId", e.app_id AS "endpointAppID", e.webhook_id AS "endpointWebhookID",
  e.url AS "endpointUrl", e.types AS "endpointTypes", e.group_id AS "endpointGroupID",
  e.secret AS "endpointSecret", e.previous_secret AS "endpointPreviousSecret",
  e.previous_secret_ends_at AS "endpointPreviousSecretEndsAt", e.state AS "endpointState",
  e.failing_since AS "endpointFailingSince", e.creator_id AS "endpointCreatorID",
  e.created_at AS "endpointCreatedAt", e.deleted_at AS "endpointDeletedAt",
  coalesce(e.previous_secret_ends_at > now(), FALSE) AS "isPreviousSecretValid",
  coalesce(e.failing_since <= now() - $10::float8 * interval '1 millisecond', FALSE) AS "hasFailedTooLong",
  claimed.*
FROM claimed
CROSS JOIN endpoint e
LEFT JOIN LATERAL (
  SELECT *
  FROM event_deliveries
  WHERE workspace_id = $11 AND endpoint_id = $12 AND key = claimed."queueKey" AND status = 'pending'
  ORDER BY position
  LIMIT $13
  OFFSET 0
) AS d ON TRUE
ORDER BY d.position;

-- Updates event_queues. Reads event_queues.
UPDATE event_queues q
SET next_attempt_at = date_trunc('milliseconds', now())
FROM (
  SELECT key
  FROM event_queues
  WHERE workspace_id = $1 AND endpoint_id = $2 AND pending > 0
  ORDER BY key
  FOR UPDATE
) AS waiting
WHERE q.workspace_id = $3 AND q.endpoint_id = $4 AND q.key = waiting.key;
