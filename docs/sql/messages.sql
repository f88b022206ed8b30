-- Deletes from muted_threads.
DELETE FROM muted_threads
WHERE workspace_id = $1 AND user_id = $2 AND thread_id = $3;

-- Deletes from reactions.
DELETE FROM "public"."reactions"
WHERE (
  "public"."reactions"."workspace_id" = $1
    AND "public"."reactions"."message_id" = $2
    AND "public"."reactions"."emoji" = $3
    AND "public"."reactions"."user_id" = $4
);

-- Deletes from webhook_calls. Reads webhook_calls, webhooks.
DELETE FROM webhook_calls
WHERE ctid = ANY(
  ARRAY(
    SELECT c.ctid
    FROM webhook_calls c
    WHERE EXISTS (
      SELECT
      FROM webhooks h
      WHERE h.workspace_id = c.workspace_id AND h.id = c.webhook_id AND h.deleted_at IS NOT NULL
      OFFSET 0
    )
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
  )
);

-- Inserts into attachments, event_notes, follows, mentions, messages, reads, recipients, threads. Updates threads. Reads active_webhooks, follows, groups, reads, users.
WITH new_thread AS MATERIALIZED (
  SELECT o.*, (
    o.webhook_id IS NULL
      OR EXISTS (
        SELECT
        FROM active_webhooks h
        WHERE h.workspace_id = o.workspace_id
          AND h.id = o.webhook_id
          AND h.revision = o.revision
          AND decode(o.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
        OFFSET 0
      )
  ) AS can_post
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::integer[], $12::text[], $13::boolean[], $14::bigint[], $15::text[],
      $16::double precision[], $17::text[]
  ) WITH ORDINALITY AS o (
    workspace_id, id, starter_id, subject, folded_subject, target, thread_by, from_message_id, webhook_id,
      key_hash, revision, state, is_closed, closing_version, replaces, rest_seconds, group_ids, number
  )
  CROSS JOIN (SELECT CASE WHEN NOT $18::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), released_thread AS (
  UPDATE threads t
  SET thread_by = NULL, thread_by_target = NULL, changes = t.changes + 1
  FROM (SELECT * FROM new_thread ORDER BY workspace_id, replaces) o
  WHERE o.can_post
    AND t.workspace_id = o.workspace_id
    AND t.id = o.replaces
    AND t.thread_by = o.thread_by
    AND (t.closed_at < clock_timestamp() - make_interval(secs => o.rest_seconds))
  RETURNING t.workspace_id, t.id
), created_thread AS (
  INSERT INTO threads (
    workspace_id, id, kind, subject, folded_subject, started_by_id, thread_by_target, thread_by,
      from_message_id, last_position, state, closed_at, closing_version, group_ids
  )
  SELECT o.workspace_id, o.id, 'thread', o.subject, o.folded_subject, o.starter_id, o.target, o.thread_by,
    o.from_message_id, 1, o.state, CASE WHEN o.is_closed THEN now() END, o.closing_version,
    string_to_array(o.group_ids, ' ')
  FROM new_thread o
  LEFT JOIN released_thread r ON r.workspace_id = o.workspace_id AND r.id = o.replaces
  WHERE o.can_post AND (o.replaces IS NULL OR r.id IS NOT NULL)
  ORDER BY o.workspace_id, o.starter_id, o.target, o.thread_by
  ON CONFLICT (workspace_id, started_by_id, thread_by_target, thread_by)
  WHERE thread_by IS NOT NULL DO NOTHING
  RETURNING workspace_id, id, created_at
), inserted_recipients AS (
  INSERT INTO recipients (workspace_id, thread_id, user_id, group_id)
  SELECT created_thread.workspace_id, created_thread.id, r.user_id, r.group_id
  FROM unnest($19::text[], $20::text[], $21::text[]) AS r (thread_id, user_id, group_id)
  JOIN created_thread ON created_thread.id = r.thread_id
), new_message AS (
  SELECT new_thread.workspace_id, first.id, new_thread.id AS thread_id, 1 AS position,
    new_thread.starter_id AS author_id, created_thread.created_at, first.text, first.unique_by,
    coalesce(first.attachment_count, 0) AS attachment_count, first.version, first.state, first.sender_name,
    coalesce(first.allow_mentions, TRUE) AS allow_mentions, coalesce(first.is_plain, FALSE) AS is_plain,
    first.buttons, first.origin_id, first.is_silent
  FROM unnest(
    $22::text[], $23::text[], $24::text[], $25::smallint[], $26::bigint[], $27::text[], $28::text[],
      $29::boolean[], $30::boolean[], $31::jsonb[], $32::text[], $33::boolean[]
  ) WITH ORDINALITY AS first (
    id, text, unique_by, attachment_count, version, state, sender_name, allow_mentions, is_plain, buttons,
      origin_id, is_silent, number
  )
  JOIN new_thread USING (number)
  JOIN created_thread ON created_thread.id = new_thread.id
    AND created_thread.workspace_id = new_thread.workspace_id
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, version,
      state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    version, state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent,
    CASE WHEN author_id = ANY ($34::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($35::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($36::text[], $37::smallint[], $38::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
), mentioning AS (
  SELECT workspace_id, id AS draft_id, thread_id, position, created_at AS at, FALSE AS has_text,
    FALSE AS calls, shows_mentions
  FROM created
), named AS (
  SELECT m.*, target.id AS target_id
  FROM unnest($39::text[], $40::text[]) AS of_draft (draft_id, target_id)
  JOIN mentioning m ON m.draft_id = of_draft.draft_id
  CROSS JOIN LATERAL (
    SELECT id
    FROM users
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
    UNION ALL
    SELECT id
    FROM groups
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
  ) AS target
), mentioned AS (
  INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
  SELECT workspace_id, thread_id, position, target_id, at
  FROM named
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, thread_id, position, target_id, mentioned_at
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, NULL::timestamptz
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (
      SELECT workspace_id, author_id, thread_id, at
      FROM own
      UNION ALL
      SELECT workspace_id, target_id, thread_id, mentioned_at
      FROM mentioned
      JOIN mentioning USING (workspace_id, thread_id, position)
      WHERE shows_mentions
    ) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, 'thread.created', id, id
    FROM created_thread
    UNION ALL
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT id, CASE WHEN NOT new_thread.can_post THEN 'webhook_inactive' WHEN created_thread.id IS NULL THEN
  'changed' END AS refusal
FROM new_thread
LEFT JOIN created_thread USING (workspace_id, id);

-- Inserts into attachments, event_notes, follows, mentions, messages, reads. Updates mentions, messages, threads. Deletes from attachments, mentions. Reads active_webhooks, attachments, follows, group_admins, group_members, groups, messages, read_floors, reads, recipients, threads, users, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest(
    $1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[],
      $8::bigint[], $9::text[], $10::text[], $11::boolean[], $12::boolean[], $13::jsonb[], $14::text[],
      $15::text[], $16::text[], $17::text[], $18::double precision[], $19::boolean[], $20::boolean[]
  ) WITH ORDINALITY AS draft (
    id, writer, is_edited, by_key, text, unique_by, attachment_count, version, state, sender_name,
      allow_mentions, is_plain, buttons, origin_id, notify, thread_closed, thread_state, rest_seconds,
      only_updates, is_strict, number
  )
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::integer[], $27::boolean[])
    WITH ORDINALITY AS w
    (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, administers, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply, t.state AS old_thread_state, t.closing_version,
        t.kind = 'thread' AS is_thread, t.kind = 'thread'
      AND (
        t.started_by_id = w.author_id
          OR w.administers
          AND (
            (
              t.kind <> 'dm'
                AND EXISTS (
                  SELECT
                  FROM (
                    SELECT coalesce(t.chat_group_id, 'grp_' || substr(t.workspace_id, 5)) AS id
                    UNION ALL
                    SELECT group_id
                    FROM recipients
                    WHERE workspace_id = t.workspace_id AND thread_id = t.id AND group_id IS NOT NULL
                  ) AS named
                  CROSS JOIN LATERAL (
                    SELECT
                    FROM group_admins
                    WHERE workspace_id = t.workspace_id AND group_id = named.id AND user_id = w.author_id
                    OFFSET 0
                  ) AS own
                )
            )
              OR (
                EXISTS (
                  SELECT
                  FROM users
                  WHERE workspace_id = t.workspace_id AND id = t.started_by_id AND kind IN ('app', 'webhook')
                  OFFSET 0
                )
                  AND EXISTS (
                    SELECT
                    FROM users
                    WHERE workspace_id = t.workspace_id AND id = w.author_id AND kind = 'app'
                    OFFSET 0
                  )
                  AND EXISTS (
                    SELECT
                    FROM recipients r
                    WHERE r.workspace_id = t.workspace_id
                      AND r.thread_id = t.id
                      AND (
                        r.user_id = w.author_id
                          OR EXISTS (
                            SELECT
                            FROM group_members
                            WHERE workspace_id = r.workspace_id
                              AND group_id = r.group_id
                              AND user_id = w.author_id
                            OFFSET 0
                          )
                      )
                    OFFSET 0
                  )
              )
          )
      ) AS may_change
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $28::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes,
    existing.id AS existing_id, existing.is_same, deleted.id AS deleted_id, fate.is_stale,
    writer.closed_at IS NOT NULL AS was_closed, writer.old_thread_state, writer.may_change,
    existing.id IS NOT NULL
    AND change.is_change
    AND (
      draft.notify IS NOT DISTINCT FROM 'always'
        OR draft.notify IS DISTINCT FROM 'never'
        AND coalesce(draft.state = 'failed' AND change.turns, FALSE)
    ) AS calls, CASE WHEN writer.is_thread AND NOT fate.is_stale AND NOT
      (draft.only_updates AND existing.id IS NULL) THEN coalesce(
      CASE WHEN writer.may_change THEN nullif(draft.thread_state, 'keep') END,
        CASE WHEN change.is_change AND draft.thread_state IS DISTINCT FROM 'keep' THEN draft.state END
    ) END AS new_thread_state, CASE WHEN fate.is_stale OR draft.only_updates AND existing.id IS NULL THEN NULL
      WHEN draft.thread_closed IN ('true', 'false') AND writer.may_change THEN CASE WHEN draft.version <
      writer.closing_version THEN NULL ELSE draft.thread_closed = 'true' END WHEN draft.thread_closed IS NULL
      AND draft.by_key AND writer.closed_at IS NOT NULL AND
      (existing.id IS NULL OR change.is_change AND change.turns AND draft.state IN ('failed', 'running')) THEN
      FALSE END AS closes
  FROM draft
  JOIN writer ON writer.number = draft.writer
  LEFT JOIN LATERAL (
    SELECT m.id, m.version, m.state, NOT draft.is_edited
      AND m.text IS NOT DISTINCT FROM coalesce(draft.text, m.text)
      AND m.attachment_count IS NOT DISTINCT FROM coalesce(draft.attachment_count, m.attachment_count)
      AND m.state IS NOT DISTINCT FROM coalesce(draft.state, m.state)
      AND m.sender_name IS NOT DISTINCT FROM coalesce(draft.sender_name, m.sender_name)
      AND m.allow_mentions IS NOT DISTINCT FROM coalesce(draft.allow_mentions, m.allow_mentions)
      AND m.is_plain IS NOT DISTINCT FROM coalesce(draft.is_plain, m.is_plain)
      AND m.buttons IS NOT DISTINCT FROM coalesce(draft.buttons, m.buttons)
      AND NOT EXISTS (
        SELECT
        FROM unnest($29::text[], $30::smallint[], $31::text[]) AS file (draft_id, position, id)
        WHERE file.draft_id = draft.id
          AND NOT EXISTS (
            SELECT
            FROM attachments a
            WHERE a.workspace_id = m.workspace_id
              AND a.message_id = m.id
              AND a.position = file.position
              AND a.file_id = file.id
            OFFSET 0
          )
      ) AS is_same
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.unique_by = draft.unique_by
    OFFSET 0
  ) existing ON TRUE
  LEFT JOIN LATERAL (
    SELECT m.id
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.deleted_unique_by = draft.unique_by
      AND m.version >= draft.version
    ORDER BY m.version DESC
    LIMIT 1
  ) deleted ON TRUE
  CROSS JOIN LATERAL (
    SELECT deleted.id IS NOT NULL OR coalesce(draft.version < existing.version, FALSE) AS is_stale
    OFFSET 0
  ) fate
  CROSS JOIN LATERAL (
    SELECT NOT fate.is_stale
      AND (existing.id IS NULL AND NOT draft.only_updates OR NOT existing.is_same) AS is_change,
        draft.state IS DISTINCT FROM existing.state AS turns
    OFFSET 0
  ) change
  WHERE writer.may_write
    AND NOT (draft.is_strict AND NOT writer.may_change)
    AND (
      draft.by_key
        AND (
          writer.thread_by IS NULL
            OR writer.closed_at < clock_timestamp() - make_interval(secs => draft.rest_seconds)
        )
    ) IS NOT TRUE
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 AND NOT of_thread.calls THEN t.last_activity_at ELSE
    greatest(t.last_activity_at, clock_timestamp()) END, changes = t.changes + 1,
    state = coalesce(of_thread.new_state, t.state),
    closing_version = greatest(t.closing_version, of_thread.new_closing_version), called_at = CASE WHEN
    of_thread.calls THEN greatest(clock_timestamp(), t.called_at + interval '1 millisecond') ELSE t.called_at
    END, closed_at = CASE of_thread.closes WHEN TRUE THEN coalesce(t.closed_at, clock_timestamp()) WHEN FALSE
    THEN NULL ELSE t.closed_at END
  FROM (
    SELECT workspace_id, thread_id, changes,
      (count(*) FILTER (WHERE existing_id IS NULL AND NOT is_stale AND NOT only_updates))::integer AS
      new_messages, bool_or(calls) AS calls, bool_or(was_closed) AS was_closed,
      min(old_thread_state) AS old_thread_state,
      (array_agg(new_thread_state ORDER BY number DESC) FILTER (WHERE new_thread_state IS NOT NULL))[1] AS
      new_state, (array_agg(closes ORDER BY number DESC) FILTER (WHERE closes IS NOT NULL))[1] AS closes,
      max(version) FILTER (WHERE closes IS NOT NULL AND thread_closed IS NOT NULL) AS new_closing_version
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at, t.called_at, t.state IS DISTINCT FROM of_thread.old_thread_state
    OR (t.closed_at IS NOT NULL) <> of_thread.was_closed AS is_thread_changed
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at, called_at, is_thread_changed
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), updated AS (
  UPDATE messages m
  SET text = coalesce(draft.text, m.text),
    attachment_count = coalesce(draft.attachment_count, m.attachment_count),
    version = coalesce(draft.version, m.version), state = coalesce(draft.state, m.state),
    sender_name = coalesce(draft.sender_name, m.sender_name),
    allow_mentions = coalesce(draft.allow_mentions, m.allow_mentions),
    is_plain = coalesce(draft.is_plain, m.is_plain), buttons = coalesce(draft.buttons, m.buttons),
    edited_at = CASE WHEN draft.is_same THEN m.edited_at ELSE clock_timestamp() END,
    called_at = CASE WHEN draft.calls THEN draft.called_at ELSE m.called_at END
  FROM accepted_draft AS draft
  WHERE m.workspace_id = draft.workspace_id
    AND m.id = draft.existing_id
    AND m.deleted_at IS NULL
    AND NOT draft.is_stale
    AND (NOT draft.is_same OR draft.version > coalesce(m.version, -1))
  RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position,
    draft.attachment_count AS files, NOT draft.is_same AS is_changed, draft.calls,
    CASE WHEN draft.calls THEN draft.called_at ELSE clock_timestamp() END AS at, m.allow_mentions
    AND NOT m.is_plain AS shows_mentions
), detached AS (
  DELETE FROM attachments a USING updated
  WHERE a.workspace_id = updated.workspace_id
    AND a.message_id = updated.id
    AND updated.files IS NOT NULL
    AND updated.is_changed
  RETURNING a.message_id
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count, version, state,
    sender_name, coalesce(allow_mentions, TRUE) AS allow_mentions, coalesce(is_plain, FALSE) AS is_plain,
    buttons, origin_id, CASE WHEN is_edited THEN clock_timestamp() END AS edited_at,
    notify IS NOT DISTINCT FROM 'never' AS is_silent
  FROM accepted_draft
  WHERE existing_id IS NULL AND NOT is_stale AND NOT only_updates
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, version,
      state, sender_name, allow_mentions, is_plain, buttons, origin_id, edited_at, is_silent, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    version, state, sender_name, allow_mentions, is_plain, buttons, origin_id, edited_at, is_silent,
    CASE WHEN author_id = ANY ($32::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($32::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, id, FALSE, thread_id
  FROM updated
  WHERE is_changed
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($29::text[], $30::smallint[], $31::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
  WHERE (SELECT count(*) FROM detached) >= 0
), mentioning AS (
  SELECT workspace_id, id AS draft_id, thread_id, position, created_at AS at, FALSE AS has_text,
    FALSE AS calls, shows_mentions
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, thread_id, position, at, TRUE, calls, shows_mentions
  FROM updated
  WHERE is_changed
), named AS (
  SELECT m.*, target.id AS target_id
  FROM unnest($33::text[], $34::text[]) AS of_draft (draft_id, target_id)
  JOIN mentioning m ON m.draft_id = of_draft.draft_id
  CROSS JOIN LATERAL (
    SELECT id
    FROM users
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
    UNION ALL
    SELECT id
    FROM groups
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
  ) AS target
), unmentioned AS (
  DELETE FROM mentions m USING mentioning changed
  WHERE changed.has_text
    AND m.workspace_id = changed.workspace_id
    AND m.thread_id = changed.thread_id
    AND m.position = changed.position
    AND NOT EXISTS (
      SELECT
      FROM named
      WHERE (workspace_id, thread_id, position, target_id) =
        (m.workspace_id, m.thread_id, m.position, m.target_id)
    )
), mentioned_again AS (
  UPDATE mentions m
  SET mentioned_at = changed.at
  FROM mentioning changed
  WHERE changed.calls
    AND m.workspace_id = changed.workspace_id
    AND m.thread_id = changed.thread_id
    AND m.position = changed.position
    AND (
      NOT changed.has_text
        OR EXISTS (
          SELECT
          FROM named
          WHERE (workspace_id, thread_id, position, target_id) =
            (m.workspace_id, m.thread_id, m.position, m.target_id)
        )
    )
), mentioned AS (
  INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
  SELECT workspace_id, thread_id, position, target_id, at
  FROM named
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, thread_id, position, target_id, mentioned_at
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (
      SELECT workspace_id, author_id, thread_id, at
      FROM own
      UNION ALL
      SELECT workspace_id, target_id, thread_id, mentioned_at
      FROM mentioned
      JOIN mentioning USING (workspace_id, thread_id, position)
      WHERE shows_mentions
    ) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
    UNION ALL
    SELECT workspace_id, 'thread.updated', thread_id,
      (array_agg(coalesce(existing_id, id) ORDER BY number DESC) FILTER (WHERE NOT is_stale))[1]
    FROM accepted_draft
    WHERE is_thread_changed
    GROUP BY workspace_id, thread_id
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", draft_id IN (
  SELECT id
  FROM accepted_draft
  WHERE coalesce(may_change AND thread_closed IN ('true', 'false') AND closes IS NULL, FALSE)
) AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write OR NOT may_change
UNION ALL
SELECT id, coalesce(existing_id, deleted_id), FALSE, NULL, NULL, is_stale,
  coalesce(may_change AND thread_closed IN ('true', 'false') AND closes IS NULL, FALSE)
FROM accepted_draft
WHERE is_same OR is_stale
UNION ALL
SELECT id, NULL, FALSE, NULL, 'nothing_to_update', FALSE, FALSE
FROM accepted_draft
WHERE only_updates AND existing_id IS NULL AND NOT is_stale;

-- Inserts into attachments, event_notes, follows, mentions. Updates mentions, messages. Deletes from attachments, mentions. Reads follows, group_members, groups, read_floors, threads, users.
WITH written (workspace_id, draft_id, id, thread_id, position, at, shows_mentions) AS (
  UPDATE messages
  SET text = coalesce($1, text), edited_at = clock_timestamp(),
    attachment_count = coalesce($2::smallint, attachment_count), version = coalesce($3::bigint, version),
    state = coalesce($4, state), sender_name = coalesce($5, sender_name),
    allow_mentions = coalesce($6::boolean, allow_mentions), is_plain = coalesce($7::boolean, is_plain),
    buttons = coalesce($8::jsonb, buttons), called_at = CASE WHEN $9::boolean THEN (
    SELECT t.called_at
    FROM threads t
    WHERE t.workspace_id = messages.workspace_id AND t.id = messages.thread_id
  ) ELSE called_at END
  WHERE workspace_id = $10 AND id = $11
  RETURNING workspace_id, id, id, thread_id, position,
    CASE WHEN $12::boolean THEN called_at ELSE edited_at END, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), detached AS (
  DELETE FROM attachments
  WHERE workspace_id = $13 AND message_id = $14 AND $15
  RETURNING message_id
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($16::text[], $17::smallint[], $18::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
  WHERE (SELECT count(*) FROM detached) >= 0
), mentioning AS (
  SELECT workspace_id, draft_id, thread_id, position, at, $19::boolean AS has_text, $20::boolean AS calls,
    shows_mentions
  FROM written
), named AS (
  SELECT m.*, target.id AS target_id
  FROM unnest($21::text[], $22::text[]) AS of_draft (draft_id, target_id)
  JOIN mentioning m ON m.draft_id = of_draft.draft_id
  CROSS JOIN LATERAL (
    SELECT id
    FROM users
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
    UNION ALL
    SELECT id
    FROM groups
    WHERE workspace_id = m.workspace_id AND id = of_draft.target_id
  ) AS target
), unmentioned AS (
  DELETE FROM mentions m USING mentioning changed
  WHERE changed.has_text
    AND m.workspace_id = changed.workspace_id
    AND m.thread_id = changed.thread_id
    AND m.position = changed.position
    AND NOT EXISTS (
      SELECT
      FROM named
      WHERE (workspace_id, thread_id, position, target_id) =
        (m.workspace_id, m.thread_id, m.position, m.target_id)
    )
), mentioned_again AS (
  UPDATE mentions m
  SET mentioned_at = changed.at
  FROM mentioning changed
  WHERE changed.calls
    AND m.workspace_id = changed.workspace_id
    AND m.thread_id = changed.thread_id
    AND m.position = changed.position
    AND (
      NOT changed.has_text
        OR EXISTS (
          SELECT
          FROM named
          WHERE (workspace_id, thread_id, position, target_id) =
            (m.workspace_id, m.thread_id, m.position, m.target_id)
        )
    )
), mentioned AS (
  INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
  SELECT workspace_id, thread_id, position, target_id, at
  FROM named
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, thread_id, position, target_id, mentioned_at
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (
      SELECT workspace_id, target_id, thread_id, mentioned_at
      FROM mentioned
      JOIN mentioning USING (workspace_id, thread_id, position)
      WHERE shows_mentions
    ) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, ARRAY[type], ARRAY[thread_id], ARRAY[object_id]
  FROM (SELECT workspace_id, 'message.updated', thread_id, id FROM written) AS event
    (workspace_id, type, thread_id, object_id)
)
SELECT id
FROM written;

-- Inserts into attachments, event_notes, follows, messages, reads, recipients, threads. Updates threads. Reads active_webhooks, follows, reads, users.
WITH new_thread AS MATERIALIZED (
  SELECT o.*, (
    o.webhook_id IS NULL
      OR EXISTS (
        SELECT
        FROM active_webhooks h
        WHERE h.workspace_id = o.workspace_id
          AND h.id = o.webhook_id
          AND h.revision = o.revision
          AND decode(o.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
        OFFSET 0
      )
  ) AS can_post
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::integer[], $12::text[], $13::boolean[], $14::bigint[], $15::text[],
      $16::double precision[], $17::text[]
  ) WITH ORDINALITY AS o (
    workspace_id, id, starter_id, subject, folded_subject, target, thread_by, from_message_id, webhook_id,
      key_hash, revision, state, is_closed, closing_version, replaces, rest_seconds, group_ids, number
  )
  CROSS JOIN (SELECT CASE WHEN NOT $18::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), released_thread AS (
  UPDATE threads t
  SET thread_by = NULL, thread_by_target = NULL, changes = t.changes + 1
  FROM (SELECT * FROM new_thread ORDER BY workspace_id, replaces) o
  WHERE o.can_post
    AND t.workspace_id = o.workspace_id
    AND t.id = o.replaces
    AND t.thread_by = o.thread_by
    AND (t.closed_at < clock_timestamp() - make_interval(secs => o.rest_seconds))
  RETURNING t.workspace_id, t.id
), created_thread AS (
  INSERT INTO threads (
    workspace_id, id, kind, subject, folded_subject, started_by_id, thread_by_target, thread_by,
      from_message_id, last_position, state, closed_at, closing_version, group_ids
  )
  SELECT o.workspace_id, o.id, 'thread', o.subject, o.folded_subject, o.starter_id, o.target, o.thread_by,
    o.from_message_id, 1, o.state, CASE WHEN o.is_closed THEN now() END, o.closing_version,
    string_to_array(o.group_ids, ' ')
  FROM new_thread o
  LEFT JOIN released_thread r ON r.workspace_id = o.workspace_id AND r.id = o.replaces
  WHERE o.can_post AND (o.replaces IS NULL OR r.id IS NOT NULL)
  ORDER BY o.workspace_id, o.starter_id, o.target, o.thread_by
  ON CONFLICT (workspace_id, started_by_id, thread_by_target, thread_by)
  WHERE thread_by IS NOT NULL DO NOTHING
  RETURNING workspace_id, id, created_at
), inserted_recipients AS (
  INSERT INTO recipients (workspace_id, thread_id, user_id, group_id)
  SELECT created_thread.workspace_id, created_thread.id, r.user_id, r.group_id
  FROM unnest($19::text[], $20::text[], $21::text[]) AS r (thread_id, user_id, group_id)
  JOIN created_thread ON created_thread.id = r.thread_id
), new_message AS (
  SELECT new_thread.workspace_id, first.id, new_thread.id AS thread_id, 1 AS position,
    new_thread.starter_id AS author_id, created_thread.created_at, first.text, first.unique_by,
    coalesce(first.attachment_count, 0) AS attachment_count, first.version, first.state, first.sender_name,
    coalesce(first.allow_mentions, TRUE) AS allow_mentions, coalesce(first.is_plain, FALSE) AS is_plain,
    first.buttons, first.origin_id, first.is_silent
  FROM unnest(
    $22::text[], $23::text[], $24::text[], $25::smallint[], $26::bigint[], $27::text[], $28::text[],
      $29::boolean[], $30::boolean[], $31::jsonb[], $32::text[], $33::boolean[]
  ) WITH ORDINALITY AS first (
    id, text, unique_by, attachment_count, version, state, sender_name, allow_mentions, is_plain, buttons,
      origin_id, is_silent, number
  )
  JOIN new_thread USING (number)
  JOIN created_thread ON created_thread.id = new_thread.id
    AND created_thread.workspace_id = new_thread.workspace_id
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, version,
      state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    version, state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent,
    CASE WHEN author_id = ANY ($34::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($35::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($36::text[], $37::smallint[], $38::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, NULL::timestamptz
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (SELECT workspace_id, author_id, thread_id, at FROM own) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, 'thread.created', id, id
    FROM created_thread
    UNION ALL
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT id, CASE WHEN NOT new_thread.can_post THEN 'webhook_inactive' WHEN created_thread.id IS NULL THEN
  'changed' END AS refusal
FROM new_thread
LEFT JOIN created_thread USING (workspace_id, id);

-- Inserts into attachments, event_notes, follows, messages, reads. Updates messages, threads. Deletes from attachments, mentions. Reads active_webhooks, attachments, follows, group_members, messages, read_floors, reads, threads, users, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes,
    existing.id AS existing_id, existing.is_same
  FROM draft
  JOIN writer ON writer.number = draft.writer
  LEFT JOIN LATERAL (
    SELECT m.id, m.version, m.state, NOT draft.is_edited
      AND m.text IS NOT DISTINCT FROM coalesce(draft.text, m.text)
      AND m.attachment_count IS NOT DISTINCT FROM coalesce(draft.attachment_count, m.attachment_count)
      AND NOT EXISTS (
        SELECT
        FROM unnest($15::text[], $16::smallint[], $17::text[]) AS file (draft_id, position, id)
        WHERE file.draft_id = draft.id
          AND NOT EXISTS (
            SELECT
            FROM attachments a
            WHERE a.workspace_id = m.workspace_id
              AND a.message_id = m.id
              AND a.position = file.position
              AND a.file_id = file.id
            OFFSET 0
          )
      ) AS is_same
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.unique_by = draft.unique_by
    OFFSET 0
  ) existing ON TRUE
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes,
      (count(*) FILTER (WHERE existing_id IS NULL))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), updated AS (
  UPDATE messages m
  SET text = coalesce(draft.text, m.text),
    attachment_count = coalesce(draft.attachment_count, m.attachment_count), edited_at = clock_timestamp()
  FROM accepted_draft AS draft
  WHERE m.workspace_id = draft.workspace_id
    AND m.id = draft.existing_id
    AND m.deleted_at IS NULL
    AND NOT draft.is_same
  RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position,
    draft.attachment_count AS files, NOT draft.is_same AS is_changed
), unmentioned AS (
  DELETE FROM mentions m USING updated
  WHERE m.workspace_id = updated.workspace_id
    AND m.thread_id = updated.thread_id
    AND m.position = updated.position
    AND updated.is_changed
), detached AS (
  DELETE FROM attachments a USING updated
  WHERE a.workspace_id = updated.workspace_id
    AND a.message_id = updated.id
    AND updated.files IS NOT NULL
    AND updated.is_changed
  RETURNING a.message_id
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
  WHERE existing_id IS NULL
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
      edited_at, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at, CASE WHEN author_id = ANY ($18::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($18::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, id, FALSE, thread_id
  FROM updated
  WHERE is_changed
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($15::text[], $16::smallint[], $17::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
  WHERE (SELECT count(*) FROM detached) >= 0
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (SELECT workspace_id, author_id, thread_id, at FROM own) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write
UNION ALL
SELECT id, existing_id, FALSE, NULL, NULL, FALSE, FALSE
FROM accepted_draft
WHERE is_same;

-- Inserts into attachments, event_notes, messages, recipients, threads. Updates threads. Reads active_webhooks.
WITH new_thread AS MATERIALIZED (
  SELECT o.*, (
    o.webhook_id IS NULL
      OR EXISTS (
        SELECT
        FROM active_webhooks h
        WHERE h.workspace_id = o.workspace_id
          AND h.id = o.webhook_id
          AND h.revision = o.revision
          AND decode(o.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
        OFFSET 0
      )
  ) AS can_post
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::integer[], $12::text[], $13::boolean[], $14::bigint[], $15::text[],
      $16::double precision[], $17::text[]
  ) WITH ORDINALITY AS o (
    workspace_id, id, starter_id, subject, folded_subject, target, thread_by, from_message_id, webhook_id,
      key_hash, revision, state, is_closed, closing_version, replaces, rest_seconds, group_ids, number
  )
  CROSS JOIN (SELECT CASE WHEN NOT $18::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), released_thread AS (
  UPDATE threads t
  SET thread_by = NULL, thread_by_target = NULL, changes = t.changes + 1
  FROM (SELECT * FROM new_thread ORDER BY workspace_id, replaces) o
  WHERE o.can_post
    AND t.workspace_id = o.workspace_id
    AND t.id = o.replaces
    AND t.thread_by = o.thread_by
    AND (t.closed_at < clock_timestamp() - make_interval(secs => o.rest_seconds))
  RETURNING t.workspace_id, t.id
), created_thread AS (
  INSERT INTO threads (
    workspace_id, id, kind, subject, folded_subject, started_by_id, thread_by_target, thread_by,
      from_message_id, last_position, state, closed_at, closing_version, group_ids
  )
  SELECT o.workspace_id, o.id, 'thread', o.subject, o.folded_subject, o.starter_id, o.target, o.thread_by,
    o.from_message_id, 1, o.state, CASE WHEN o.is_closed THEN now() END, o.closing_version,
    string_to_array(o.group_ids, ' ')
  FROM new_thread o
  LEFT JOIN released_thread r ON r.workspace_id = o.workspace_id AND r.id = o.replaces
  WHERE o.can_post AND (o.replaces IS NULL OR r.id IS NOT NULL)
  ORDER BY o.workspace_id, o.starter_id, o.target, o.thread_by
  ON CONFLICT (workspace_id, started_by_id, thread_by_target, thread_by)
  WHERE thread_by IS NOT NULL DO NOTHING
  RETURNING workspace_id, id, created_at
), inserted_recipients AS (
  INSERT INTO recipients (workspace_id, thread_id, user_id, group_id)
  SELECT created_thread.workspace_id, created_thread.id, r.user_id, r.group_id
  FROM unnest($19::text[], $20::text[], $21::text[]) AS r (thread_id, user_id, group_id)
  JOIN created_thread ON created_thread.id = r.thread_id
), new_message AS (
  SELECT new_thread.workspace_id, first.id, new_thread.id AS thread_id, 1 AS position,
    new_thread.starter_id AS author_id, created_thread.created_at, first.text, first.unique_by,
    coalesce(first.attachment_count, 0) AS attachment_count, first.version, first.state, first.sender_name,
    coalesce(first.allow_mentions, TRUE) AS allow_mentions, coalesce(first.is_plain, FALSE) AS is_plain,
    first.buttons, first.origin_id, first.is_silent
  FROM unnest(
    $22::text[], $23::text[], $24::text[], $25::smallint[], $26::bigint[], $27::text[], $28::text[],
      $29::boolean[], $30::boolean[], $31::jsonb[], $32::text[], $33::boolean[]
  ) WITH ORDINALITY AS first (
    id, text, unique_by, attachment_count, version, state, sender_name, allow_mentions, is_plain, buttons,
      origin_id, is_silent, number
  )
  JOIN new_thread USING (number)
  JOIN created_thread ON created_thread.id = new_thread.id
    AND created_thread.workspace_id = new_thread.workspace_id
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, version,
      state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    version, state, sender_name, allow_mentions, is_plain, buttons, origin_id, is_silent
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($34::text[], $35::smallint[], $36::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, 'thread.created', id, id
    FROM created_thread
    UNION ALL
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT id, CASE WHEN NOT new_thread.can_post THEN 'webhook_inactive' WHEN created_thread.id IS NULL THEN
  'changed' END AS refusal
FROM new_thread
LEFT JOIN created_thread USING (workspace_id, id);

-- Inserts into attachments, event_notes, messages. Updates messages, threads. Deletes from attachments, mentions. Reads active_webhooks, attachments, messages, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes,
    existing.id AS existing_id, existing.is_same
  FROM draft
  JOIN writer ON writer.number = draft.writer
  LEFT JOIN LATERAL (
    SELECT m.id, m.version, m.state, NOT draft.is_edited
      AND m.text IS NOT DISTINCT FROM coalesce(draft.text, m.text)
      AND m.attachment_count IS NOT DISTINCT FROM coalesce(draft.attachment_count, m.attachment_count)
      AND NOT EXISTS (
        SELECT
        FROM unnest($15::text[], $16::smallint[], $17::text[]) AS file (draft_id, position, id)
        WHERE file.draft_id = draft.id
          AND NOT EXISTS (
            SELECT
            FROM attachments a
            WHERE a.workspace_id = m.workspace_id
              AND a.message_id = m.id
              AND a.position = file.position
              AND a.file_id = file.id
            OFFSET 0
          )
      ) AS is_same
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.unique_by = draft.unique_by
    OFFSET 0
  ) existing ON TRUE
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes,
      (count(*) FILTER (WHERE existing_id IS NULL))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), updated AS (
  UPDATE messages m
  SET text = coalesce(draft.text, m.text),
    attachment_count = coalesce(draft.attachment_count, m.attachment_count), edited_at = clock_timestamp()
  FROM accepted_draft AS draft
  WHERE m.workspace_id = draft.workspace_id
    AND m.id = draft.existing_id
    AND m.deleted_at IS NULL
    AND NOT draft.is_same
  RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position,
    draft.attachment_count AS files, NOT draft.is_same AS is_changed
), unmentioned AS (
  DELETE FROM mentions m USING updated
  WHERE m.workspace_id = updated.workspace_id
    AND m.thread_id = updated.thread_id
    AND m.position = updated.position
    AND updated.is_changed
), detached AS (
  DELETE FROM attachments a USING updated
  WHERE a.workspace_id = updated.workspace_id
    AND a.message_id = updated.id
    AND updated.files IS NOT NULL
    AND updated.is_changed
  RETURNING a.message_id
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
  WHERE existing_id IS NULL
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, edited_at
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, id, FALSE, thread_id
  FROM updated
  WHERE is_changed
), attached AS (
  INSERT INTO attachments (workspace_id, message_id, position, file_id)
  SELECT written.workspace_id, written.id, file.position, file.id
  FROM unnest($15::text[], $16::smallint[], $17::text[]) AS file (draft_id, position, id)
  JOIN written USING (draft_id)
  WHERE (SELECT count(*) FROM detached) >= 0
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write
UNION ALL
SELECT id, existing_id, FALSE, NULL, NULL, FALSE, FALSE
FROM accepted_draft
WHERE is_same;

-- Inserts into button_presses, event_notes. Reads messages, visible_threads.
WITH message AS MATERIALIZED (
  SELECT m.id, m.thread_id, m.buttons_revision, m.buttons, m.deleted_at
  FROM messages m
  JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
  WHERE m.workspace_id = $1 AND m.id = $2 AND t.viewer_id = $3
  FOR SHARE OF m
), button AS (
  SELECT message.*
  FROM message
  CROSS JOIN LATERAL jsonb_array_elements(message.buttons) AS button (fields)
  WHERE message.deleted_at IS NULL
    AND message.buttons_revision = $4
    AND button.fields->>'id' = $5
    AND button.fields->>'url' IS NULL
), pressed AS (
  INSERT INTO button_presses (workspace_id, message_id, buttons_revision, button_id, user_id, client_key)
  SELECT $6, id, buttons_revision, $7, $8, $9
  FROM button
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, message_id
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids, details)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id), array_agg(details)
  FROM (
    SELECT pressed.workspace_id, 'message.buttonPressed', button.thread_id, pressed.message_id,
      jsonb_build_object('buttonID', $10::text, 'userID', $11::text)
    FROM pressed
    CROSS JOIN button
  ) AS event (workspace_id, type, thread_id, object_id, details)
  GROUP BY workspace_id
)
SELECT EXISTS (SELECT FROM pressed) AS "isPressed", EXISTS (SELECT FROM button) AS "isButton",
  deleted_at IS NOT NULL AS "isDeleted"
FROM message;

-- Inserts into event_notes, follows, messages, reads. Updates messages, threads. Deletes from attachments, mentions. Reads active_webhooks, follows, group_members, messages, read_floors, reads, threads, users, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes,
    existing.id AS existing_id, existing.is_same
  FROM draft
  JOIN writer ON writer.number = draft.writer
  LEFT JOIN LATERAL (
    SELECT m.id, m.version, m.state, NOT draft.is_edited
      AND m.text IS NOT DISTINCT FROM coalesce(draft.text, m.text)
      AND m.attachment_count IS NOT DISTINCT FROM coalesce(draft.attachment_count, m.attachment_count) AS
        is_same
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.unique_by = draft.unique_by
    OFFSET 0
  ) existing ON TRUE
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes,
      (count(*) FILTER (WHERE existing_id IS NULL))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), updated AS (
  UPDATE messages m
  SET text = coalesce(draft.text, m.text),
    attachment_count = coalesce(draft.attachment_count, m.attachment_count), edited_at = clock_timestamp()
  FROM accepted_draft AS draft
  WHERE m.workspace_id = draft.workspace_id
    AND m.id = draft.existing_id
    AND m.deleted_at IS NULL
    AND NOT draft.is_same
  RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position,
    draft.attachment_count AS files, NOT draft.is_same AS is_changed
), unmentioned AS (
  DELETE FROM mentions m USING updated
  WHERE m.workspace_id = updated.workspace_id
    AND m.thread_id = updated.thread_id
    AND m.position = updated.position
    AND updated.is_changed
), detached AS (
  DELETE FROM attachments a USING updated
  WHERE a.workspace_id = updated.workspace_id
    AND a.message_id = updated.id
    AND updated.files IS NOT NULL
    AND updated.is_changed
  RETURNING a.message_id
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
  WHERE existing_id IS NULL
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
      edited_at, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at, CASE WHEN author_id = ANY ($15::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($15::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, id, FALSE, thread_id
  FROM updated
  WHERE is_changed
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (SELECT workspace_id, author_id, thread_id, at FROM own) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write
UNION ALL
SELECT id, existing_id, FALSE, NULL, NULL, FALSE, FALSE
FROM accepted_draft
WHERE is_same;

-- Inserts into event_notes, follows, messages, reads. Updates threads. Reads active_webhooks, follows, group_members, read_floors, reads, threads, users, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest(
    $1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[], $8::text[]
  ) WITH ORDINALITY AS draft
    (id, writer, is_edited, by_key, text, unique_by, attachment_count, origin_id, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $15::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes
  FROM draft
  JOIN writer ON writer.number = draft.writer
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes, (count(*))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count, origin_id,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
      origin_id, edited_at, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    origin_id, edited_at, CASE WHEN author_id = ANY ($16::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($16::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (SELECT workspace_id, author_id, thread_id, at FROM own) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write;

-- Inserts into event_notes, follows, messages, reads. Updates threads. Reads active_webhooks, follows, group_members, read_floors, reads, threads, users, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes
  FROM draft
  JOIN writer ON writer.number = draft.writer
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes, (count(*))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
      edited_at, author_reads
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at, CASE WHEN author_id = ANY ($15::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($15::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), followed AS (
  INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
  SELECT f.workspace_id, f.user_id, f.thread_id, coalesce(
    (
      SELECT to_timestamp(
        min(
          (
            (
              SELECT jsonb_object_agg(
                joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
              )
              FROM group_members joined
              LEFT JOIN LATERAL (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = joined.workspace_id
                  AND user_id = joined.user_id
                  AND group_id = joined.group_id
                OFFSET 0
              ) AS marked ON TRUE
              WHERE joined.workspace_id = f.workspace_id
                AND joined.user_id = f.user_id
                AND NOT joined.is_muted
            ) ->> g
          )::float8
        )
      )
      FROM unnest(t.group_ids) AS g
    ), f.at - interval '1 millisecond'
  )
  FROM (
    SELECT workspace_id, user_id, thread_id, min(at) AS at
    FROM (SELECT workspace_id, author_id, thread_id, at FROM own) AS f (workspace_id, user_id, thread_id, at)
    GROUP BY 1, 2, 3
  ) AS f
  CROSS JOIN LATERAL (
    SELECT group_ids
    FROM threads
    WHERE workspace_id = f.workspace_id AND id = f.thread_id AND kind = 'thread'
    OFFSET 0
  ) AS t
  WHERE EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = f.workspace_id AND id = f.user_id AND kind = 'person'
    OFFSET 0
  )
    AND NOT EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = f.workspace_id AND user_id = f.user_id AND thread_id = f.thread_id AND is_active
      OFFSET 0
    )
  ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET is_active = TRUE, read_floor = excluded.read_floor
  WHERE NOT follows.is_active
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write;

-- Inserts into event_notes, messages. Updates messages, threads. Deletes from attachments, mentions. Reads active_webhooks, messages, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes,
    existing.id AS existing_id, existing.is_same
  FROM draft
  JOIN writer ON writer.number = draft.writer
  LEFT JOIN LATERAL (
    SELECT m.id, m.version, m.state, NOT draft.is_edited
      AND m.text IS NOT DISTINCT FROM coalesce(draft.text, m.text)
      AND m.attachment_count IS NOT DISTINCT FROM coalesce(draft.attachment_count, m.attachment_count) AS
        is_same
    FROM messages m
    WHERE m.workspace_id = writer.workspace_id
      AND m.thread_id = writer.thread_id
      AND m.author_id = writer.author_id
      AND m.unique_by = draft.unique_by
    OFFSET 0
  ) existing ON TRUE
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes,
      (count(*) FILTER (WHERE existing_id IS NULL))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), updated AS (
  UPDATE messages m
  SET text = coalesce(draft.text, m.text),
    attachment_count = coalesce(draft.attachment_count, m.attachment_count), edited_at = clock_timestamp()
  FROM accepted_draft AS draft
  WHERE m.workspace_id = draft.workspace_id
    AND m.id = draft.existing_id
    AND m.deleted_at IS NULL
    AND NOT draft.is_same
  RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position,
    draft.attachment_count AS files, NOT draft.is_same AS is_changed
), unmentioned AS (
  DELETE FROM mentions m USING updated
  WHERE m.workspace_id = updated.workspace_id
    AND m.thread_id = updated.thread_id
    AND m.position = updated.position
    AND updated.is_changed
), detached AS (
  DELETE FROM attachments a USING updated
  WHERE a.workspace_id = updated.workspace_id
    AND a.message_id = updated.id
    AND updated.files IS NOT NULL
    AND updated.is_changed
  RETURNING a.message_id
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
  WHERE existing_id IS NULL
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, edited_at
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
  UNION ALL
  SELECT workspace_id, draft_id, id, FALSE, thread_id
  FROM updated
  WHERE is_changed
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write
UNION ALL
SELECT id, existing_id, FALSE, NULL, NULL, FALSE, FALSE
FROM accepted_draft
WHERE is_same;

-- Inserts into event_notes, messages. Updates threads. Reads active_webhooks, visible_threads.
WITH draft AS (
  SELECT *
  FROM unnest($1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::smallint[])
    WITH ORDINALITY AS draft (id, writer, is_edited, by_key, text, unique_by, attachment_count, number)
), writer AS MATERIALIZED (
  SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE)
    AND (
      w.webhook_id IS NULL
        OR EXISTS (
          SELECT
          FROM active_webhooks h
          WHERE h.workspace_id = w.workspace_id
            AND h.id = w.webhook_id
            AND h.revision = w.revision
            AND decode(w.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
          OFFSET 0
        )
    ) AS may_write
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[]) WITH ORDINALITY
    AS w (workspace_id, thread_id, author_id, webhook_id, key_hash, revision, number)
  LEFT JOIN LATERAL (
    SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by, NOT t.replies_off
      OR t.started_by_id = w.author_id AS may_reply
    FROM visible_threads t
    WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id
    OFFSET 0
  ) thread ON TRUE
  CROSS JOIN (SELECT CASE WHEN NOT $14::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
    AS short_waits
), permitted_draft AS (
  SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes
  FROM draft
  JOIN writer ON writer.number = draft.writer
  WHERE writer.may_write
    AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))
), raised_thread AS (
  UPDATE threads t
  SET last_position = t.last_position + of_thread.new_messages, last_activity_at = CASE WHEN
    of_thread.new_messages = 0 THEN t.last_activity_at ELSE greatest(t.last_activity_at, clock_timestamp())
    END
  FROM (
    SELECT workspace_id, thread_id, changes, (count(*))::integer AS new_messages
    FROM permitted_draft
    GROUP BY workspace_id, thread_id, changes
    ORDER BY workspace_id, thread_id
  ) of_thread
  WHERE t.workspace_id = of_thread.workspace_id
    AND t.id = of_thread.thread_id
    AND t.changes = of_thread.changes
  RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
    t.last_activity_at AS created_at
), accepted_draft AS (
  SELECT permitted_draft.*, position_before, created_at
  FROM permitted_draft
  JOIN raised_thread USING (thread_id, workspace_id)
), new_message AS (
  SELECT workspace_id, id, thread_id,
    position_before + row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number) AS position,
    author_id, created_at, text, unique_by, coalesce(attachment_count, 0) AS attachment_count,
    CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
  FROM accepted_draft
), created AS (
  INSERT INTO messages (
    workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count, edited_at
  )
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, unique_by, attachment_count,
    edited_at
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (
    SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
    FROM written
  ) AS event (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal,
  FALSE AS "isStale", FALSE AS "keepsClosing"
FROM written
UNION ALL
SELECT NULL, NULL, FALSE, number::integer, CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL
  THEN 'not_visible' WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END, FALSE, FALSE
FROM writer
WHERE NOT may_write;

-- Inserts into event_notes, reactions. Reads messages, visible_threads.
WITH found AS MATERIALIZED (
  SELECT c.number, c.workspace_id, c.user_id, c.emoji, message.id, message.thread_id
  FROM (
    SELECT *
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c
      (workspace_id, user_id, message_id, emoji, number)
    CROSS JOIN (SELECT CASE WHEN NOT $5::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0)
      AS short_waits
    ORDER BY workspace_id COLLATE "C", message_id COLLATE "C"
  ) c
  CROSS JOIN LATERAL (
    SELECT m.id, m.thread_id
    FROM messages m
    JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
    WHERE m.workspace_id = c.workspace_id
      AND m.id = c.message_id
      AND m.deleted_at IS NULL
      AND t.viewer_id = c.user_id
    FOR KEY SHARE OF m
  ) message
), added AS (
  INSERT INTO reactions (workspace_id, message_id, emoji, user_id)
  SELECT DISTINCT workspace_id, id, emoji, user_id
  FROM found
  ORDER BY 1, 2, 3, 4
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, message_id, emoji, user_id
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids, details)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id), array_agg(details)
  FROM (
    SELECT added.workspace_id, 'reaction.added', message.thread_id, message_id,
      jsonb_build_object('emoji', emoji, 'userID', user_id)
    FROM added
    JOIN (SELECT DISTINCT workspace_id, id, thread_id FROM found) AS message ON message.workspace_id =
      added.workspace_id
      AND message.id = message_id
  ) AS event (workspace_id, type, thread_id, object_id, details)
  GROUP BY workspace_id
)
SELECT number
FROM found;

-- Inserts into event_notes. Updates messages, webhook_calls. Deletes from attachments, button_presses, mentions, reactions. Reads webhook_calls, webhooks.
WITH detached AS (DELETE FROM attachments WHERE workspace_id = $1 AND message_id = $2), removed_reactions AS (
  DELETE FROM reactions
  WHERE workspace_id = $3 AND message_id = $4
), removed_presses AS (DELETE FROM button_presses WHERE workspace_id = $5 AND message_id = $6), written AS (
  UPDATE messages
  SET text = '', unique_by = NULL, attachment_count = 0, sender_name = NULL, state = NULL, buttons = NULL,
    deleted_unique_by = CASE WHEN version IS NOT NULL THEN unique_by END, deleted_at = clock_timestamp()
  WHERE workspace_id = $7 AND id = $8 AND deleted_at IS NULL
  RETURNING workspace_id, id, thread_id, position, author_id
), removed_mentions AS (
  DELETE FROM mentions m USING written
  WHERE m.workspace_id = written.workspace_id
    AND m.thread_id = written.thread_id
    AND m.position = written.position
), forgotten_calls AS (
  UPDATE webhook_calls c
  SET content = NULL
  FROM written
  CROSS JOIN LATERAL (
    SELECT id
    FROM webhooks
    WHERE workspace_id = written.workspace_id AND user_id = written.author_id
    OFFSET 0
  ) AS h
  CROSS JOIN LATERAL (
    SELECT id
    FROM webhook_calls
    WHERE workspace_id = written.workspace_id
      AND webhook_id = h.id
      AND written.id = ANY(message_ids)
      AND content IS NOT NULL
    FOR UPDATE SKIP LOCKED
  ) AS sent
  WHERE c.workspace_id = written.workspace_id AND c.webhook_id = h.id AND c.id = sent.id
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, ARRAY[type], ARRAY[thread_id], ARRAY[object_id]
  FROM (SELECT workspace_id, 'message.deleted', thread_id, id FROM written) AS event
    (workspace_id, type, thread_id, object_id)
)
SELECT id
FROM written;

-- Inserts into follows. Reads group_members, read_floors, threads.
INSERT INTO follows (workspace_id, user_id, thread_id, read_floor)
SELECT t.workspace_id, $1::text, t.id, coalesce(
  (
    SELECT to_timestamp(
      min(
        (
          (
            SELECT jsonb_object_agg(
              joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
            )
            FROM group_members joined
            LEFT JOIN LATERAL (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = joined.workspace_id
                AND user_id = joined.user_id
                AND group_id = joined.group_id
              OFFSET 0
            ) AS marked ON TRUE
            WHERE joined.workspace_id = $2 AND joined.user_id = $3 AND NOT joined.is_muted
          ) ->> g
        )::float8
      )
    )
    FROM unnest(t.group_ids) AS g
  ), clock_timestamp() - interval '1 millisecond'
)
FROM threads t
WHERE t.workspace_id = $4 AND t.id = $5
ORDER BY 1, 2, 3
ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
SET is_active = TRUE, read_floor = excluded.read_floor
WHERE NOT follows.is_active;

-- Inserts into messages, reads. Updates threads. Reads reads, threads.
WITH new_message AS (
  SELECT t.workspace_id, line.id, t.id AS thread_id, t.last_position + line.number AS position,
    $1::text AS author_id, greatest(t.last_activity_at, clock_timestamp()) AS created_at, line.text,
    line.event, $2::text AS origin_id
  FROM threads t
  CROSS JOIN unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS line (id, text, event, number)
  WHERE t.workspace_id = $6 AND t.id = $7
), created AS (
  INSERT INTO messages
    (workspace_id, id, thread_id, position, author_id, created_at, text, event, origin_id, author_reads)
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, event, origin_id,
    CASE WHEN author_id = ANY ($8::text[]) THEN TRUE END
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), own AS (
  SELECT workspace_id, author_id, thread_id, min(position) - 1 AS before, count(*) AS total,
    min(created_at) AS at, count(*) FILTER (WHERE position - number = before) AS run
  FROM (
    SELECT workspace_id, author_id, thread_id, position, created_at,
      row_number() OVER (PARTITION BY workspace_id, author_id, thread_id ORDER BY position) AS number,
      min(position) OVER (PARTITION BY workspace_id, author_id, thread_id) - 1 AS before
    FROM created
    WHERE author_id = ANY ($9::text[])
  ) AS numbered
  GROUP BY workspace_id, author_id, thread_id
), counted AS (
  INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_total, own_read)
  SELECT own.workspace_id, own.author_id, own.thread_id,
    CASE WHEN known.is_there OR own.before = 0 THEN own.before + own.run ELSE 0 END, own.total,
    CASE WHEN known.is_there OR own.before = 0 THEN own.run ELSE 0 END
  FROM own
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_there
    FROM reads
    WHERE workspace_id = own.workspace_id AND user_id = own.author_id AND thread_id = own.thread_id
    OFFSET 0
  ) AS known ON TRUE
  ORDER BY own.workspace_id, own.author_id, own.thread_id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET own_total = r.own_total + excluded.own_total, read_up_to = CASE WHEN r.read_up_to + r.own_total -
    r.own_read = excluded.read_up_to - excluded.own_read THEN excluded.read_up_to ELSE r.read_up_to END,
    own_read = CASE WHEN r.read_up_to + r.own_total - r.own_read = excluded.read_up_to - excluded.own_read
    THEN r.own_total + excluded.own_read ELSE r.own_read END
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
)
UPDATE threads t
SET last_position = last.position, last_activity_at = last.created_at, changes = t.changes + 1
FROM (SELECT max(position) AS position, max(created_at) AS created_at FROM created) last
WHERE t.workspace_id = $10 AND t.id = $11;

-- Inserts into messages. Updates threads. Reads threads.
WITH new_message AS (
  SELECT t.workspace_id, line.id, t.id AS thread_id, t.last_position + line.number AS position,
    $1::text AS author_id, greatest(t.last_activity_at, clock_timestamp()) AS created_at, line.text,
    line.event, $2::text AS origin_id
  FROM threads t
  CROSS JOIN unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS line (id, text, event, number)
  WHERE t.workspace_id = $6 AND t.id = $7
), created AS (
  INSERT INTO messages (workspace_id, id, thread_id, position, author_id, created_at, text, event, origin_id)
  SELECT workspace_id, id, thread_id, position, author_id, created_at, text, event, origin_id
  FROM new_message
  RETURNING workspace_id, id, thread_id, position, author_id, created_at, messages.allow_mentions
    AND NOT messages.is_plain AS shows_mentions
), written (workspace_id, draft_id, id, created, thread_id) AS (
  SELECT workspace_id, id, id, TRUE, thread_id
  FROM created
)
UPDATE threads t
SET last_position = last.position, last_activity_at = last.created_at, changes = t.changes + 1
FROM (SELECT max(position) AS position, max(created_at) AS created_at FROM created) last
WHERE t.workspace_id = $8 AND t.id = $9;

-- Inserts into muted_threads.
INSERT INTO muted_threads (workspace_id, user_id, thread_id)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

-- Inserts into pins. Reads pins.
INSERT INTO pins (workspace_id, user_id, group_id, place)
SELECT $1, $2, $3, (SELECT count(*) + 1 FROM pins WHERE workspace_id = $4 AND user_id = $5)
WHERE NOT EXISTS (SELECT FROM pins WHERE workspace_id = $6 AND user_id = $7 AND pinned_id = $8);

-- Inserts into pins. Reads pins.
INSERT INTO pins (workspace_id, user_id, thread_id, place)
SELECT $1, $2, $3, (SELECT count(*) + 1 FROM pins WHERE workspace_id = $4 AND user_id = $5)
WHERE NOT EXISTS (SELECT FROM pins WHERE workspace_id = $6 AND user_id = $7 AND pinned_id = $8);

-- Inserts into read_floors.
INSERT INTO read_floors AS f (workspace_id, user_id, group_id, read_floor, undo)
VALUES ($1, $2, $3, clock_timestamp() - interval '1 minute', '{"rows": []}')
ON CONFLICT (workspace_id, user_id, group_id) DO UPDATE
SET read_floor = excluded.read_floor,
  undo = jsonb_build_object('floor', f.read_floor, 'rows', jsonb_build_array());

-- Inserts into reads. Reads follows, group_members, messages, read_floors, reads, recipients, threads, users.
INSERT INTO reads AS r
  (workspace_id, user_id, thread_id, read_up_to, own_read, own_total, calls_read_up_to, kept_at)
SELECT t.workspace_id, $1, t.id, $2::integer, CASE WHEN known.own_total > 0 THEN (
  SELECT start.own - sign(start.position - $3::integer)::integer * (
    SELECT count(*)::integer
    FROM messages own
    WHERE own.workspace_id = $4
      AND own.thread_id = t.id
      AND own.author_id = $5
      AND own.author_reads
      AND own.position > least(start.position, $6::integer)
      AND own.position <= greatest(start.position, $7::integer)
  )
  FROM (SELECT abs($8::integer - known.read_up_to) <= t.last_position - $9::integer AS is_near) AS nearer
  CROSS JOIN LATERAL (
    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
  ) AS start
) ELSE 0 END, coalesce(known.own_total, 0), nullif(state.calls_read_up_to, '-infinity'), clock_timestamp()
FROM threads t
LEFT JOIN LATERAL (
  SELECT *
  FROM reads
  WHERE workspace_id = $10 AND user_id = $11 AND thread_id = t.id
  OFFSET 0
) AS known ON TRUE
CROSS JOIN LATERAL (
  SELECT (
    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
      floor, coalesce(
        least(
          (
            SELECT to_timestamp(
              min(
                (
                  (
                    SELECT jsonb_object_agg(
                      joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                    )
                    FROM group_members joined
                    LEFT JOIN LATERAL (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = joined.workspace_id
                        AND user_id = joined.user_id
                        AND group_id = joined.group_id
                      OFFSET 0
                    ) AS marked ON TRUE
                    WHERE joined.workspace_id = $12 AND joined.user_id = $13 AND NOT joined.is_muted
                  ) ->> g
                )::float8
              )
            )
            FROM unnest(t.group_ids) AS g
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM follows
            WHERE workspace_id = $14 AND user_id = $15 AND thread_id = t.id AND is_active
            OFFSET 0
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM recipients
            WHERE workspace_id = $16 AND thread_id = t.id AND recipient_id = $17
            OFFSET 0
          )
        ), (
          SELECT to_timestamp(
            min(
              (
                (
                  SELECT jsonb_object_agg(
                    joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                  )
                  FROM group_members joined
                  LEFT JOIN LATERAL (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = joined.workspace_id
                      AND user_id = joined.user_id
                      AND group_id = joined.group_id
                    OFFSET 0
                  ) AS marked ON TRUE
                  WHERE joined.workspace_id = $18 AND joined.user_id = $19 AND joined.is_muted
                ) ->> g
              )::float8
            )
          )
          FROM unnest(t.group_ids) AS g
        )
      )
    ) END
    FROM (
      SELECT (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $20 AND u.id = $21
        OFFSET 0
      ) AS floor
      OFFSET 0
    ) AS person
  ) AS at
  OFFSET 0
) AS floor
CROSS JOIN LATERAL (
  SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
    THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN t.last_position ELSE
    greatest(known.read_up_to, position_at($22, t.id, t.last_position, floor.at)) END AS read_up_to, CASE WHEN
    known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity') ELSE
    greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
  OFFSET 0
) AS read
CROSS JOIN LATERAL (
  SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN known.own_total
    > 0 THEN (
    SELECT start.own - sign(start.position - read.read_up_to)::integer * (
      SELECT count(*)::integer
      FROM messages own
      WHERE own.workspace_id = $23
        AND own.thread_id = t.id
        AND own.author_id = $24
        AND own.author_reads
        AND own.position > least(start.position, read.read_up_to)
        AND own.position <= greatest(start.position, read.read_up_to)
    )
    FROM (SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS is_near) AS
      nearer
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
        CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
    ) AS start
  ) ELSE 0 END - (
    SELECT count(*)::integer
    FROM messages m
    WHERE m.workspace_id = $25
      AND m.thread_id = t.id
      AND m.position > read.read_up_to
      AND m.author_id <> $26
      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
  ) AS unread_after
  OFFSET 0
) AS state
WHERE t.workspace_id = $27 AND t.id = $28 AND state.read_up_to > $29::integer
ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
SET read_up_to = excluded.read_up_to, own_read = excluded.own_read,
  calls_read_up_to = excluded.calls_read_up_to, kept_at = excluded.kept_at, is_marked = FALSE;

-- Inserts into reads. Reads follows, group_members, messages, read_floors, reads, recipients, users, visible_threads.
WITH found AS (
  SELECT c.number, c.workspace_id, c.user_id, c.thread_id, t.*, coalesce(known.own_total, 0) AS own_total,
    CASE WHEN known.own_total > 0 THEN (
    SELECT start.own - sign(start.position - t.position)::integer * (
      SELECT count(*)::integer
      FROM messages own
      WHERE own.workspace_id = c.workspace_id
        AND own.thread_id = t.id
        AND own.author_id = c.user_id
        AND own.author_reads
        AND own.position > least(start.position, t.position)
        AND own.position <= greatest(start.position, t.position)
    )
    FROM (SELECT abs(t.position - known.read_up_to) <= t.last_position - t.position AS is_near) AS nearer
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
        CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
    ) AS start
  ) ELSE 0 END AS own, calls.calls_read
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c
    (workspace_id, user_id, thread_id, up_to, number)
  CROSS JOIN LATERAL (
    SELECT coalesce(m.position, t.last_position) AS position, t.last_position, t.last_activity_at,
      t.called_at, t.group_ids, t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind",
      t.subject AS "subject", t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID",
      t.dm_high_user_id AS "dmHighUserID", t.started_by_id AS "startedByID", t.thread_by AS "threadBy",
      t.thread_by_target AS "threadByTarget", t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
      t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
      t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
      t.state AS "state", t.closing_version AS "closingVersion"
    FROM visible_threads t
    LEFT JOIN messages m ON m.workspace_id = t.workspace_id AND m.id = c.up_to AND m.thread_id = t.id
    WHERE t.viewer_id = c.user_id
      AND t.workspace_id = c.workspace_id
      AND t.id = c.thread_id
      AND (c.up_to IS NULL OR m.id IS NOT NULL)
  ) AS t
  LEFT JOIN LATERAL (
    SELECT *
    FROM reads
    WHERE workspace_id = c.workspace_id AND user_id = c.user_id AND thread_id = t.id
    OFFSET 0
  ) AS known ON TRUE
  CROSS JOIN LATERAL (
    SELECT (
      SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
        floor, coalesce(
          least(
            (
              SELECT to_timestamp(
                min(
                  (
                    (
                      SELECT jsonb_object_agg(
                        joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                      )
                      FROM group_members joined
                      LEFT JOIN LATERAL (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = joined.workspace_id
                          AND user_id = joined.user_id
                          AND group_id = joined.group_id
                        OFFSET 0
                      ) AS marked ON TRUE
                      WHERE joined.workspace_id = c.workspace_id
                        AND joined.user_id = c.user_id
                        AND NOT joined.is_muted
                    ) ->> g
                  )::float8
                )
              )
              FROM unnest(t.group_ids) AS g
            ), (
              SELECT coalesce(read_floor, '-infinity')
              FROM follows
              WHERE workspace_id = c.workspace_id AND user_id = c.user_id AND thread_id = t.id AND is_active
              OFFSET 0
            ), (
              SELECT coalesce(read_floor, '-infinity')
              FROM recipients
              WHERE workspace_id = c.workspace_id AND thread_id = t.id AND recipient_id = c.user_id
              OFFSET 0
            )
          ), (
            SELECT to_timestamp(
              min(
                (
                  (
                    SELECT jsonb_object_agg(
                      joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                    )
                    FROM group_members joined
                    LEFT JOIN LATERAL (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = joined.workspace_id
                        AND user_id = joined.user_id
                        AND group_id = joined.group_id
                      OFFSET 0
                    ) AS marked ON TRUE
                    WHERE joined.workspace_id = c.workspace_id
                      AND joined.user_id = c.user_id
                      AND joined.is_muted
                  ) ->> g
                )::float8
              )
            )
            FROM unnest(t.group_ids) AS g
          )
        )
      ) END
      FROM (
        SELECT (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = c.workspace_id AND u.id = c.user_id
          OFFSET 0
        ) AS floor
        OFFSET 0
      ) AS person
    ) AS at
    OFFSET 0
  ) AS floor
  CROSS JOIN LATERAL (
    SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
      THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN t.last_position ELSE
      greatest(known.read_up_to, position_at(c.workspace_id, t.id, t.last_position, floor.at)) END AS
      read_up_to, CASE WHEN known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity') ELSE
      greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
    OFFSET 0
  ) AS read
  CROSS JOIN LATERAL (
    SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
      known.own_total > 0 THEN (
      SELECT start.own - sign(start.position - read.read_up_to)::integer * (
        SELECT count(*)::integer
        FROM messages own
        WHERE own.workspace_id = c.workspace_id
          AND own.thread_id = t.id
          AND own.author_id = c.user_id
          AND own.author_reads
          AND own.position > least(start.position, read.read_up_to)
          AND own.position <= greatest(start.position, read.read_up_to)
      )
      FROM (SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS is_near) AS
        nearer
      CROSS JOIN LATERAL (
        SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
          CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
      ) AS start
    ) ELSE 0 END - (
      SELECT count(*)::integer
      FROM messages m
      WHERE m.workspace_id = c.workspace_id
        AND m.thread_id = t.id
        AND m.position > read.read_up_to
        AND m.author_id <> c.user_id
        AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
    ) AS unread_after
    OFFSET 0
  ) AS state
  CROSS JOIN LATERAL (
    SELECT coalesce(
      min(m.called_at) FILTER (WHERE m.position > t.position) - interval '1 millisecond', t.called_at
    ) AS calls_read
    FROM messages m
    WHERE t.called_at > state.calls_read_up_to
      AND m.workspace_id = c.workspace_id
      AND m.thread_id = t.id
      AND m.called_at > state.calls_read_up_to
      AND m.position <= state.read_up_to
      AND m.author_id <> c.user_id
      AND m.deleted_at IS NULL
  ) AS calls
  CROSS JOIN (SELECT CASE WHEN NOT $5::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0) AS
    short_waits
), marked AS (
  INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to)
  SELECT workspace_id, user_id, thread_id, max(position), max(own_total), max(own), max(calls_read)
  FROM found
  GROUP BY workspace_id, user_id, thread_id
  ORDER BY workspace_id COLLATE "C", user_id COLLATE "C", thread_id COLLATE "C"
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to), own_read = CASE WHEN reads.read_up_to <
    excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
    calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to), is_marked = FALSE
  WHERE reads.is_marked
    OR reads.read_up_to < excluded.read_up_to
    OR excluded.calls_read_up_to > coalesce(reads.calls_read_up_to, '-infinity')
)
SELECT *
FROM found;

-- Inserts into reads. Updates read_floors. Reads follows, group_members, mentions, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_thread_ids, visible_threads.
WITH unread AS MATERIALIZED (
  SELECT t.id, t.last_position, t.called_at, known.read_up_to, coalesce(known.own_total, 0) AS own_total,
    known.own_read, known.calls_read_up_to, known.kept_at
  FROM (
    SELECT t.*
    FROM (
      SELECT t.*
      FROM (
        SELECT DISTINCT id
        FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $1 AND viewer_id = $2) AS seen
      ) AS few
      CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $3 AND id = few.id OFFSET 0) AS t
      WHERE t.last_activity_at > (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $4 AND u.id = $5
        OFFSET 0
      )
      UNION ALL
      SELECT t.*
      FROM reads kept
      CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $6 AND id = kept.thread_id OFFSET 0) AS t
      WHERE kept.workspace_id = $7
        AND kept.user_id = $8
        AND kept.kept_at IS NOT NULL
        AND t.last_activity_at <= (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $9 AND u.id = $10
          OFFSET 0
        )
    ) AS t
    WHERE EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $11 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
      AND (
        EXISTS (
          SELECT
          FROM (SELECT) AS one
          LEFT JOIN LATERAL (
            SELECT *
            FROM reads
            WHERE workspace_id = t.workspace_id AND user_id = $12 AND thread_id = t.id
            OFFSET 0
          ) AS known ON TRUE
          WHERE (
            t.last_activity_at > (
              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                u.created_at, (
                  SELECT read_floor
                  FROM read_floors
                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                  OFFSET 0
                )
              ) ELSE '-infinity' END
              FROM users u
              WHERE u.workspace_id = $13 AND u.id = $14
              OFFSET 0
            )
              OR known.kept_at IS NOT NULL
          )
            AND (
              t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
                OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
            )
            AND (
              (
                t.called_at IS NULL
                  AND t.last_position > coalesce(known.read_up_to, 0)
                  AND known.own_total IS NOT DISTINCT FROM known.own_read
                  AND (
                    t.last_activity_at > (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $15 AND u.id = $16
                      OFFSET 0
                    )
                      AND (
                        t.kind = 'dm'
                          OR (
                            SELECT CASE WHEN u.kind = 'person' THEN greatest(
                              u.created_at, (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                                OFFSET 0
                              )
                            ) ELSE '-infinity' END
                            FROM users u
                            WHERE u.workspace_id = $17 AND u.id = $18
                            OFFSET 0
                          ) = '-infinity'
                          OR (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $19 AND joined.user_id = $20 AND NOT joined.is_muted
                          ) ?| t.group_ids
                          AND t.last_activity_at > (
                            SELECT to_timestamp(max(floor::float8))
                            FROM jsonb_each_text(
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $21
                                  AND joined.user_id = $22
                                  AND NOT joined.is_muted
                              )
                            ) AS each (id, floor)
                          )
                          OR t.last_activity_at > (
                            SELECT to_timestamp(
                              min(
                                (
                                  (
                                    SELECT jsonb_object_agg(
                                      joined.group_id,
                                        extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                    )
                                    FROM group_members joined
                                    LEFT JOIN LATERAL (
                                      SELECT read_floor
                                      FROM read_floors
                                      WHERE workspace_id = joined.workspace_id
                                        AND user_id = joined.user_id
                                        AND group_id = joined.group_id
                                      OFFSET 0
                                    ) AS marked ON TRUE
                                    WHERE joined.workspace_id = $23
                                      AND joined.user_id = $24
                                      AND NOT joined.is_muted
                                  ) ->> g
                                )::float8
                              )
                            )
                            FROM unnest(t.group_ids) AS g
                          )
                      )
                  )
                  AND NOT EXISTS (
                    SELECT
                    FROM messages m
                    WHERE m.workspace_id = t.workspace_id
                      AND m.thread_id = t.id
                      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                    OFFSET 0
                  )
              )
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE m.workspace_id = t.workspace_id
                    AND m.thread_id = t.id
                    AND m.position = t.last_position
                    AND m.position > coalesce(known.read_up_to, 0)
                    AND m.author_id <> $25
                    AND m.event IS NULL
                    AND m.deleted_at IS NULL
                    AND (
                      m.created_at > (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $26 AND u.id = $27
                        OFFSET 0
                      )
                        AND (
                          t.kind = 'dm'
                            OR (
                              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                                u.created_at, (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                                  OFFSET 0
                                )
                              ) ELSE '-infinity' END
                              FROM users u
                              WHERE u.workspace_id = $28 AND u.id = $29
                              OFFSET 0
                            ) = '-infinity'
                            OR (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $30
                                AND joined.user_id = $31
                                AND NOT joined.is_muted
                            ) ?| t.group_ids
                            AND m.created_at > (
                              SELECT to_timestamp(max(floor::float8))
                              FROM jsonb_each_text(
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $32
                                    AND joined.user_id = $33
                                    AND NOT joined.is_muted
                                )
                              ) AS each (id, floor)
                            )
                            OR m.created_at > (
                              SELECT to_timestamp(
                                min(
                                  (
                                    (
                                      SELECT jsonb_object_agg(
                                        joined.group_id,
                                          extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                      )
                                      FROM group_members joined
                                      LEFT JOIN LATERAL (
                                        SELECT read_floor
                                        FROM read_floors
                                        WHERE workspace_id = joined.workspace_id
                                          AND user_id = joined.user_id
                                          AND group_id = joined.group_id
                                        OFFSET 0
                                      ) AS marked ON TRUE
                                      WHERE joined.workspace_id = $34
                                        AND joined.user_id = $35
                                        AND NOT joined.is_muted
                                    ) ->> g
                                  )::float8
                                )
                              )
                              FROM unnest(t.group_ids) AS g
                            )
                        )
                    )
                  OFFSET 0
                )
                OR EXISTS (
                  SELECT
                  FROM (SELECT t.* OFFSET 0) AS t
                  LEFT JOIN LATERAL (
                    SELECT *
                    FROM reads
                    WHERE workspace_id = $36 AND user_id = $37 AND thread_id = t.id
                    OFFSET 0
                  ) AS known ON TRUE
                  CROSS JOIN LATERAL (
                    SELECT (
                      SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                        floor, coalesce(
                          least(
                            (
                              SELECT to_timestamp(
                                min(
                                  (
                                    (
                                      SELECT jsonb_object_agg(
                                        joined.group_id,
                                          extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                      )
                                      FROM group_members joined
                                      LEFT JOIN LATERAL (
                                        SELECT read_floor
                                        FROM read_floors
                                        WHERE workspace_id = joined.workspace_id
                                          AND user_id = joined.user_id
                                          AND group_id = joined.group_id
                                        OFFSET 0
                                      ) AS marked ON TRUE
                                      WHERE joined.workspace_id = $38
                                        AND joined.user_id = $39
                                        AND NOT joined.is_muted
                                    ) ->> g
                                  )::float8
                                )
                              )
                              FROM unnest(t.group_ids) AS g
                            ), (
                              SELECT coalesce(read_floor, '-infinity')
                              FROM follows
                              WHERE workspace_id = $40 AND user_id = $41 AND thread_id = t.id AND is_active
                              OFFSET 0
                            ), (
                              SELECT coalesce(read_floor, '-infinity')
                              FROM recipients
                              WHERE workspace_id = $42 AND thread_id = t.id AND recipient_id = $43
                              OFFSET 0
                            )
                          ), (
                            SELECT to_timestamp(
                              min(
                                (
                                  (
                                    SELECT jsonb_object_agg(
                                      joined.group_id,
                                        extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                    )
                                    FROM group_members joined
                                    LEFT JOIN LATERAL (
                                      SELECT read_floor
                                      FROM read_floors
                                      WHERE workspace_id = joined.workspace_id
                                        AND user_id = joined.user_id
                                        AND group_id = joined.group_id
                                      OFFSET 0
                                    ) AS marked ON TRUE
                                    WHERE joined.workspace_id = $44
                                      AND joined.user_id = $45
                                      AND joined.is_muted
                                  ) ->> g
                                )::float8
                              )
                            )
                            FROM unnest(t.group_ids) AS g
                          )
                        )
                      ) END
                      FROM (
                        SELECT (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $46 AND u.id = $47
                          OFFSET 0
                        ) AS floor
                        OFFSET 0
                      ) AS person
                    ) AS at
                    OFFSET 0
                  ) AS floor
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                      t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at
                      THEN t.last_position ELSE
                      greatest(known.read_up_to, position_at($48, t.id, t.last_position, floor.at)) END AS
                      read_up_to, CASE WHEN known.kept_at > floor.at THEN
                      coalesce(known.calls_read_up_to, '-infinity') ELSE
                      greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                    OFFSET 0
                  ) AS read
                  CROSS JOIN LATERAL (
                    SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE
                      WHEN known.own_total > 0 THEN (
                      SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                        SELECT count(*)::integer
                        FROM messages own
                        WHERE own.workspace_id = $49
                          AND own.thread_id = t.id
                          AND own.author_id = $50
                          AND own.author_reads
                          AND own.position > least(start.position, read.read_up_to)
                          AND own.position <= greatest(start.position, read.read_up_to)
                      )
                      FROM (
                        SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                          is_near
                      ) AS nearer
                      CROSS JOIN LATERAL (
                        SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                          CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                      ) AS start
                    ) ELSE 0 END - (
                      SELECT count(*)::integer
                      FROM messages m
                      WHERE m.workspace_id = $51
                        AND m.thread_id = t.id
                        AND m.position > read.read_up_to
                        AND m.author_id <> $52
                        AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                    ) AS unread_after
                    OFFSET 0
                  ) AS state
                  WHERE state.unread_after > 0
                    OR EXISTS (
                      SELECT
                      FROM messages m
                      WHERE t.called_at > state.calls_read_up_to
                        AND m.workspace_id = $53
                        AND m.thread_id = t.id
                        AND m.called_at > state.calls_read_up_to
                        AND m.position <= state.read_up_to
                        AND m.author_id <> $54
                        AND m.deleted_at IS NULL
                    )
                )
            )
        )
          OR t.id IN (
            SELECT thread_id
            FROM (
              WITH x AS MATERIALIZED (
                SELECT recent.*
                FROM unnest(
                  ARRAY(
                    SELECT $55::text
                    UNION ALL
                    SELECT group_id
                    FROM group_members
                    WHERE workspace_id = $56 AND user_id = $57 AND NOT is_muted
                  )
                ) AS target (id)
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM mentions
                  WHERE workspace_id = $58
                    AND target_id = target.id
                    AND mentioned_at > (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $59 AND u.id = $60
                      OFFSET 0
                    )
                  OFFSET 0
                ) AS recent
                UNION
                SELECT in_kept.*
                FROM reads kept
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM mentions
                  WHERE workspace_id = $61
                    AND thread_id = kept.thread_id
                    AND target_id = ANY (
                      ARRAY(
                        SELECT $62::text
                        UNION ALL
                        SELECT group_id
                        FROM group_members
                        WHERE workspace_id = $63 AND user_id = $64 AND NOT is_muted
                      )
                    )
                  OFFSET 0
                ) AS in_kept
                WHERE kept.workspace_id = $65 AND kept.user_id = $66 AND kept.kept_at IS NOT NULL
              ), of_thread AS MATERIALIZED (
                SELECT t.workspace_id, t.id, known.read_up_to, known.calls_read_up_to, known.kept_at
                FROM (SELECT DISTINCT thread_id FROM x) AS named
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM visible_threads
                  WHERE viewer_id = $67 AND workspace_id = $68 AND id = named.thread_id
                  OFFSET 0
                ) AS t
                LEFT JOIN LATERAL (
                  SELECT *
                  FROM reads
                  WHERE workspace_id = $69 AND user_id = $70 AND thread_id = t.id
                  OFFSET 0
                ) AS known ON TRUE
              )
              SELECT DISTINCT m.thread_id, m.position
              FROM x
              JOIN of_thread known ON known.id = x.thread_id
              CROSS JOIN LATERAL (SELECT known.workspace_id, known.id OFFSET 0) AS t
              CROSS JOIN LATERAL (
                SELECT *
                FROM messages
                WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
                OFFSET 0
              ) AS m
              WHERE m.author_id <> $71
                AND m.deleted_at IS NULL
                AND m.allow_mentions
                AND NOT m.is_plain
                AND (
                  SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
                    coalesce(known.calls_read_up_to, '-infinity') ELSE m.position >
                    coalesce(known.read_up_to, 0) AND m.created_at > floor OR m.called_at >
                    greatest(known.calls_read_up_to, floor) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                        floor, (
                          SELECT joined_at
                          FROM group_members
                          WHERE workspace_id = x.workspace_id AND user_id = $72 AND group_id = x.target_id
                          OFFSET 0
                        )
                      ) END
                      FROM (
                        SELECT (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $73 AND u.id = $74
                          OFFSET 0
                        ) AS floor
                        OFFSET 0
                      ) AS person
                    ) AS floor
                    OFFSET 0
                  ) AS of_mention
                )
                AND (
                  NOT EXISTS (
                    SELECT
                    FROM muted_threads
                    WHERE workspace_id = t.workspace_id AND user_id = $75 AND thread_id = t.id
                    OFFSET 0
                  )
                    OR x.target_id = $76
                    AND EXISTS (
                      SELECT
                      FROM users
                      WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
                      OFFSET 0
                    )
                )
            ) AS mentions
          )
      )
  ) AS t
  LEFT JOIN LATERAL (
    SELECT *
    FROM reads
    WHERE workspace_id = $77 AND user_id = $78 AND thread_id = t.id
    OFFSET 0
  ) AS known ON TRUE
), marked AS (
  INSERT INTO reads
    (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to, is_marked)
  SELECT $79, $80, id, last_position, own_total, own_total, called_at, TRUE
  FROM unread
  ORDER BY id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to), own_read = CASE WHEN reads.read_up_to <
    excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
    calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to), is_marked = TRUE
)
UPDATE read_floors
SET undo = undo || (
  SELECT jsonb_build_object(
    'rows', coalesce(
      jsonb_agg(
        jsonb_build_object(
          'thread_id', id, 'read_up_to', coalesce(read_up_to, 0), 'own_read', coalesce(own_read, 0),
            'calls_read_up_to', calls_read_up_to, 'kept_at', kept_at
        )
      ), '[]'
    )
  )
  FROM unread
)
WHERE workspace_id = $81 AND user_id = $82 AND group_id = $83;

-- Inserts into reads. Updates read_floors. Reads follows, group_members, mentions, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_threads.
WITH unread AS MATERIALIZED (
  SELECT t.id, t.last_position, t.called_at, known.read_up_to, coalesce(known.own_total, 0) AS own_total,
    known.own_read, known.calls_read_up_to, known.kept_at
  FROM (
    SELECT t.*
    FROM (
      SELECT t.*
      FROM (
        SELECT DISTINCT id
        FROM (
          SELECT id
          FROM threads
          WHERE workspace_id = $1 AND chat_group_id = $2
          UNION ALL
          SELECT thread_id
          FROM recipients
          WHERE workspace_id = $3 AND group_id = $4
        ) AS seen
      ) AS few
      CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $5 AND id = few.id OFFSET 0) AS t
      WHERE t.last_activity_at > (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $6 AND u.id = $7
        OFFSET 0
      )
      UNION ALL
      SELECT t.*
      FROM reads kept
      CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $8 AND id = kept.thread_id OFFSET 0) AS t
      WHERE kept.workspace_id = $9
        AND kept.user_id = $10
        AND kept.kept_at IS NOT NULL
        AND t.last_activity_at <= (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $11 AND u.id = $12
          OFFSET 0
        )
    ) AS t
    WHERE $13 = ANY (t.group_ids)
      AND (
        EXISTS (
          SELECT
          FROM (SELECT) AS one
          LEFT JOIN LATERAL (
            SELECT *
            FROM reads
            WHERE workspace_id = t.workspace_id AND user_id = $14 AND thread_id = t.id
            OFFSET 0
          ) AS known ON TRUE
          WHERE (
            t.last_activity_at > (
              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                u.created_at, (
                  SELECT read_floor
                  FROM read_floors
                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                  OFFSET 0
                )
              ) ELSE '-infinity' END
              FROM users u
              WHERE u.workspace_id = $15 AND u.id = $16
              OFFSET 0
            )
              OR known.kept_at IS NOT NULL
          )
            AND (
              t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
                OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
            )
            AND (
              (
                t.called_at IS NULL
                  AND t.last_position > coalesce(known.read_up_to, 0)
                  AND known.own_total IS NOT DISTINCT FROM known.own_read
                  AND (
                    t.last_activity_at > (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $17 AND u.id = $18
                      OFFSET 0
                    )
                      AND (
                        t.kind = 'dm'
                          OR (
                            SELECT CASE WHEN u.kind = 'person' THEN greatest(
                              u.created_at, (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                                OFFSET 0
                              )
                            ) ELSE '-infinity' END
                            FROM users u
                            WHERE u.workspace_id = $19 AND u.id = $20
                            OFFSET 0
                          ) = '-infinity'
                          OR (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $21 AND joined.user_id = $22 AND NOT joined.is_muted
                          ) ?| t.group_ids
                          AND t.last_activity_at > (
                            SELECT to_timestamp(max(floor::float8))
                            FROM jsonb_each_text(
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $23
                                  AND joined.user_id = $24
                                  AND NOT joined.is_muted
                              )
                            ) AS each (id, floor)
                          )
                          OR t.last_activity_at > (
                            SELECT to_timestamp(
                              min(
                                (
                                  (
                                    SELECT jsonb_object_agg(
                                      joined.group_id,
                                        extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                    )
                                    FROM group_members joined
                                    LEFT JOIN LATERAL (
                                      SELECT read_floor
                                      FROM read_floors
                                      WHERE workspace_id = joined.workspace_id
                                        AND user_id = joined.user_id
                                        AND group_id = joined.group_id
                                      OFFSET 0
                                    ) AS marked ON TRUE
                                    WHERE joined.workspace_id = $25
                                      AND joined.user_id = $26
                                      AND NOT joined.is_muted
                                  ) ->> g
                                )::float8
                              )
                            )
                            FROM unnest(t.group_ids) AS g
                          )
                      )
                  )
                  AND NOT EXISTS (
                    SELECT
                    FROM messages m
                    WHERE m.workspace_id = t.workspace_id
                      AND m.thread_id = t.id
                      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                    OFFSET 0
                  )
              )
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE m.workspace_id = t.workspace_id
                    AND m.thread_id = t.id
                    AND m.position = t.last_position
                    AND m.position > coalesce(known.read_up_to, 0)
                    AND m.author_id <> $27
                    AND m.event IS NULL
                    AND m.deleted_at IS NULL
                    AND (
                      m.created_at > (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $28 AND u.id = $29
                        OFFSET 0
                      )
                        AND (
                          t.kind = 'dm'
                            OR (
                              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                                u.created_at, (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                                  OFFSET 0
                                )
                              ) ELSE '-infinity' END
                              FROM users u
                              WHERE u.workspace_id = $30 AND u.id = $31
                              OFFSET 0
                            ) = '-infinity'
                            OR (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $32
                                AND joined.user_id = $33
                                AND NOT joined.is_muted
                            ) ?| t.group_ids
                            AND m.created_at > (
                              SELECT to_timestamp(max(floor::float8))
                              FROM jsonb_each_text(
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $34
                                    AND joined.user_id = $35
                                    AND NOT joined.is_muted
                                )
                              ) AS each (id, floor)
                            )
                            OR m.created_at > (
                              SELECT to_timestamp(
                                min(
                                  (
                                    (
                                      SELECT jsonb_object_agg(
                                        joined.group_id,
                                          extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                      )
                                      FROM group_members joined
                                      LEFT JOIN LATERAL (
                                        SELECT read_floor
                                        FROM read_floors
                                        WHERE workspace_id = joined.workspace_id
                                          AND user_id = joined.user_id
                                          AND group_id = joined.group_id
                                        OFFSET 0
                                      ) AS marked ON TRUE
                                      WHERE joined.workspace_id = $36
                                        AND joined.user_id = $37
                                        AND NOT joined.is_muted
                                    ) ->> g
                                  )::float8
                                )
                              )
                              FROM unnest(t.group_ids) AS g
                            )
                        )
                    )
                  OFFSET 0
                )
                OR EXISTS (
                  SELECT
                  FROM (SELECT t.* OFFSET 0) AS t
                  LEFT JOIN LATERAL (
                    SELECT *
                    FROM reads
                    WHERE workspace_id = $38 AND user_id = $39 AND thread_id = t.id
                    OFFSET 0
                  ) AS known ON TRUE
                  CROSS JOIN LATERAL (
                    SELECT (
                      SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                        floor, coalesce(
                          least(
                            (
                              SELECT to_timestamp(
                                min(
                                  (
                                    (
                                      SELECT jsonb_object_agg(
                                        joined.group_id,
                                          extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                      )
                                      FROM group_members joined
                                      LEFT JOIN LATERAL (
                                        SELECT read_floor
                                        FROM read_floors
                                        WHERE workspace_id = joined.workspace_id
                                          AND user_id = joined.user_id
                                          AND group_id = joined.group_id
                                        OFFSET 0
                                      ) AS marked ON TRUE
                                      WHERE joined.workspace_id = $40
                                        AND joined.user_id = $41
                                        AND NOT joined.is_muted
                                    ) ->> g
                                  )::float8
                                )
                              )
                              FROM unnest(t.group_ids) AS g
                            ), (
                              SELECT coalesce(read_floor, '-infinity')
                              FROM follows
                              WHERE workspace_id = $42 AND user_id = $43 AND thread_id = t.id AND is_active
                              OFFSET 0
                            ), (
                              SELECT coalesce(read_floor, '-infinity')
                              FROM recipients
                              WHERE workspace_id = $44 AND thread_id = t.id AND recipient_id = $45
                              OFFSET 0
                            )
                          ), (
                            SELECT to_timestamp(
                              min(
                                (
                                  (
                                    SELECT jsonb_object_agg(
                                      joined.group_id,
                                        extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                    )
                                    FROM group_members joined
                                    LEFT JOIN LATERAL (
                                      SELECT read_floor
                                      FROM read_floors
                                      WHERE workspace_id = joined.workspace_id
                                        AND user_id = joined.user_id
                                        AND group_id = joined.group_id
                                      OFFSET 0
                                    ) AS marked ON TRUE
                                    WHERE joined.workspace_id = $46
                                      AND joined.user_id = $47
                                      AND joined.is_muted
                                  ) ->> g
                                )::float8
                              )
                            )
                            FROM unnest(t.group_ids) AS g
                          )
                        )
                      ) END
                      FROM (
                        SELECT (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $48 AND u.id = $49
                          OFFSET 0
                        ) AS floor
                        OFFSET 0
                      ) AS person
                    ) AS at
                    OFFSET 0
                  ) AS floor
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                      t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at
                      THEN t.last_position ELSE
                      greatest(known.read_up_to, position_at($50, t.id, t.last_position, floor.at)) END AS
                      read_up_to, CASE WHEN known.kept_at > floor.at THEN
                      coalesce(known.calls_read_up_to, '-infinity') ELSE
                      greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                    OFFSET 0
                  ) AS read
                  CROSS JOIN LATERAL (
                    SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE
                      WHEN known.own_total > 0 THEN (
                      SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                        SELECT count(*)::integer
                        FROM messages own
                        WHERE own.workspace_id = $51
                          AND own.thread_id = t.id
                          AND own.author_id = $52
                          AND own.author_reads
                          AND own.position > least(start.position, read.read_up_to)
                          AND own.position <= greatest(start.position, read.read_up_to)
                      )
                      FROM (
                        SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                          is_near
                      ) AS nearer
                      CROSS JOIN LATERAL (
                        SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                          CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                      ) AS start
                    ) ELSE 0 END - (
                      SELECT count(*)::integer
                      FROM messages m
                      WHERE m.workspace_id = $53
                        AND m.thread_id = t.id
                        AND m.position > read.read_up_to
                        AND m.author_id <> $54
                        AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                    ) AS unread_after
                    OFFSET 0
                  ) AS state
                  WHERE state.unread_after > 0
                    OR EXISTS (
                      SELECT
                      FROM messages m
                      WHERE t.called_at > state.calls_read_up_to
                        AND m.workspace_id = $55
                        AND m.thread_id = t.id
                        AND m.called_at > state.calls_read_up_to
                        AND m.position <= state.read_up_to
                        AND m.author_id <> $56
                        AND m.deleted_at IS NULL
                    )
                )
            )
        )
          OR t.id IN (
            SELECT thread_id
            FROM (
              WITH x AS MATERIALIZED (
                SELECT recent.*
                FROM unnest(
                  ARRAY(
                    SELECT $57::text
                    UNION ALL
                    SELECT group_id
                    FROM group_members
                    WHERE workspace_id = $58 AND user_id = $59 AND NOT is_muted
                  )
                ) AS target (id)
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM mentions
                  WHERE workspace_id = $60
                    AND target_id = target.id
                    AND mentioned_at > (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $61 AND u.id = $62
                      OFFSET 0
                    )
                  OFFSET 0
                ) AS recent
                UNION
                SELECT in_kept.*
                FROM reads kept
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM mentions
                  WHERE workspace_id = $63
                    AND thread_id = kept.thread_id
                    AND target_id = ANY (
                      ARRAY(
                        SELECT $64::text
                        UNION ALL
                        SELECT group_id
                        FROM group_members
                        WHERE workspace_id = $65 AND user_id = $66 AND NOT is_muted
                      )
                    )
                  OFFSET 0
                ) AS in_kept
                WHERE kept.workspace_id = $67 AND kept.user_id = $68 AND kept.kept_at IS NOT NULL
              ), of_thread AS MATERIALIZED (
                SELECT t.workspace_id, t.id, known.read_up_to, known.calls_read_up_to, known.kept_at
                FROM (SELECT DISTINCT thread_id FROM x) AS named
                CROSS JOIN LATERAL (
                  SELECT *
                  FROM visible_threads
                  WHERE viewer_id = $69 AND workspace_id = $70 AND id = named.thread_id
                  OFFSET 0
                ) AS t
                LEFT JOIN LATERAL (
                  SELECT *
                  FROM reads
                  WHERE workspace_id = $71 AND user_id = $72 AND thread_id = t.id
                  OFFSET 0
                ) AS known ON TRUE
              )
              SELECT DISTINCT m.thread_id, m.position
              FROM x
              JOIN of_thread known ON known.id = x.thread_id
              CROSS JOIN LATERAL (SELECT known.workspace_id, known.id OFFSET 0) AS t
              CROSS JOIN LATERAL (
                SELECT *
                FROM messages
                WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
                OFFSET 0
              ) AS m
              WHERE m.author_id <> $73
                AND m.deleted_at IS NULL
                AND m.allow_mentions
                AND NOT m.is_plain
                AND (
                  SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
                    coalesce(known.calls_read_up_to, '-infinity') ELSE m.position >
                    coalesce(known.read_up_to, 0) AND m.created_at > floor OR m.called_at >
                    greatest(known.calls_read_up_to, floor) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                        floor, (
                          SELECT joined_at
                          FROM group_members
                          WHERE workspace_id = x.workspace_id AND user_id = $74 AND group_id = x.target_id
                          OFFSET 0
                        )
                      ) END
                      FROM (
                        SELECT (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $75 AND u.id = $76
                          OFFSET 0
                        ) AS floor
                        OFFSET 0
                      ) AS person
                    ) AS floor
                    OFFSET 0
                  ) AS of_mention
                )
                AND (
                  NOT EXISTS (
                    SELECT
                    FROM muted_threads
                    WHERE workspace_id = t.workspace_id AND user_id = $77 AND thread_id = t.id
                    OFFSET 0
                  )
                    OR x.target_id = $78
                    AND EXISTS (
                      SELECT
                      FROM users
                      WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
                      OFFSET 0
                    )
                )
            ) AS mentions
          )
      )
  ) AS t
  LEFT JOIN LATERAL (
    SELECT *
    FROM reads
    WHERE workspace_id = $79 AND user_id = $80 AND thread_id = t.id
    OFFSET 0
  ) AS known ON TRUE
), marked AS (
  INSERT INTO reads
    (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to, is_marked)
  SELECT $81, $82, id, last_position, own_total, own_total, called_at, TRUE
  FROM unread
  ORDER BY id
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE
  SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to), own_read = CASE WHEN reads.read_up_to <
    excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
    calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to), is_marked = TRUE
)
UPDATE read_floors
SET undo = undo || (
  SELECT jsonb_build_object(
    'rows', coalesce(
      jsonb_agg(
        jsonb_build_object(
          'thread_id', id, 'read_up_to', coalesce(read_up_to, 0), 'own_read', coalesce(own_read, 0),
            'calls_read_up_to', calls_read_up_to, 'kept_at', kept_at
        )
      ), '[]'
    )
  )
  FROM unread
)
WHERE workspace_id = $83 AND user_id = $84 AND group_id = $85;

-- Inserts into search_progress, searchable_messages.
WITH progress AS (
  INSERT INTO search_progress AS p (workspace_id, position)
  SELECT $1, $2::bigint
  ON CONFLICT (workspace_id) DO UPDATE
  SET position = excluded.position
  WHERE p.position = $3::bigint
  RETURNING workspace_id
)
INSERT INTO searchable_messages AS known
  (workspace_id, created_at, position, message_id, edited_at, thread_changes, words)
SELECT progress.workspace_id, index_row.created_at, index_row.position, index_row.id, index_row.edited_at,
  index_row.thread_changes, CAST(index_row.words AS tsvector)
FROM progress
CROSS JOIN unnest($4::text[], $5::integer[], $6::timestamptz[], $7::timestamptz[], $8::integer[], $9::text[])
  AS index_row (id, position, created_at, edited_at, thread_changes, words)
ON CONFLICT (workspace_id, created_at, position, message_id) DO UPDATE
SET edited_at = excluded.edited_at, thread_changes = excluded.thread_changes, words = excluded.words
WHERE (known.edited_at IS NULL OR known.edited_at <= excluded.edited_at)
  AND known.thread_changes <= excluded.thread_changes;

-- Inserts into webhook_calls. Deletes from webhook_calls. Reads active_webhooks, messages, webhook_calls, webhooks.
WITH webhook AS MATERIALIZED (
  SELECT id
  FROM webhooks
  WHERE (workspace_id, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  ORDER BY id
  FOR KEY SHARE
), call AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $3::text[], $4::text[], $5::text[], $6::text[], $7::double precision[], $8::text[], $9::text[],
      $10::text[], $11::smallint[], $12::integer[], $13::text[], $14::text[], $15::text[], $16::text[]
  ) AS call (
    workspace_id, webhook_id, key_hash, id, seconds_ago, method, format, target_id, status, size_bytes,
      outcome, message_ids, thread_ids, content
  )
  WHERE (
    call.webhook_id IS NULL
      OR EXISTS (
        SELECT
        FROM active_webhooks h
        WHERE h.workspace_id = call.workspace_id
          AND h.id = call.webhook_id
          AND decode(call.key_hash, 'hex') IN (h.key_hash, h.previous_key_hash)
        OFFSET 0
      )
  )
    AND webhook_id IN (SELECT id FROM webhook)
), old AS MATERIALIZED (
  SELECT o.row
  FROM (SELECT workspace_id, webhook_id, count(*) AS added FROM call GROUP BY workspace_id, webhook_id) AS w
  CROSS JOIN LATERAL (
    SELECT ctid AS row
    FROM webhook_calls
    WHERE workspace_id = w.workspace_id AND webhook_id = w.webhook_id
    ORDER BY id DESC
    OFFSET greatest($17::bigint - w.added, 0)
  ) AS o
  WHERE (SELECT pg_try_advisory_xact_lock(hashtext('skein webhook calls')))
), removed AS (DELETE FROM webhook_calls WHERE ctid = ANY(ARRAY(SELECT row FROM old)))
INSERT INTO webhook_calls (
  workspace_id, id, webhook_id, created_at, method, format, target_id, status, size_bytes, outcome,
    message_ids, thread_ids, content
)
SELECT workspace_id, id, webhook_id, clock_timestamp() - make_interval(secs => seconds_ago), method, format,
  target_id, status, size_bytes, outcome::jsonb, string_to_array(message_ids, ' '),
  string_to_array(thread_ids, ' '), CASE WHEN NOT EXISTS (
  SELECT
  FROM messages
  WHERE workspace_id = call.workspace_id
    AND id = ANY(string_to_array(call.message_ids, ' '))
    AND deleted_at IS NOT NULL
  OFFSET 0
) THEN decode(content, 'base64') END
FROM call;

-- Reads attachments, files.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
    f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
    f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt",
    a.position AS "key0"
  FROM attachments a
  CROSS JOIN LATERAL (SELECT * FROM files WHERE workspace_id = $2 AND id = a.file_id OFFSET 0) AS f
  WHERE a.workspace_id = $3 AND a.message_id = parent.id
  ORDER BY a.position ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads attachments, files.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
    f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
    f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt",
    a.position AS "key0"
  FROM attachments a
  CROSS JOIN LATERAL (SELECT * FROM files WHERE workspace_id = $2 AND id = a.file_id OFFSET 0) AS f
  WHERE a.workspace_id = $3 AND a.message_id = parent.id
  ORDER BY a.position ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads attachments, messages.
SELECT m.id
FROM messages m
WHERE m.workspace_id = $1
  AND m.id = $2
  AND m.text = coalesce($3, m.text)
  AND ARRAY(
    SELECT file_id
    FROM attachments
    WHERE workspace_id = m.workspace_id AND message_id = m.id
    ORDER BY position
  ) = coalesce(
    $4::text[], ARRAY(
      SELECT file_id
      FROM attachments
      WHERE workspace_id = m.workspace_id AND message_id = m.id
      ORDER BY position
    )
  )
  AND m.state IS NOT DISTINCT FROM coalesce($5, m.state)
  AND m.sender_name IS NOT DISTINCT FROM coalesce($6, m.sender_name)
  AND m.allow_mentions = coalesce($7::boolean, m.allow_mentions)
  AND m.is_plain = coalesce($8::boolean, m.is_plain)
  AND m.buttons IS NOT DISTINCT FROM coalesce($9::jsonb, m.buttons);

-- Reads button_presses.
SELECT "public"."button_presses"."workspace_id", "public"."button_presses"."message_id",
  "public"."button_presses"."buttons_revision", "public"."button_presses"."button_id",
  "public"."button_presses"."user_id"
FROM "public"."button_presses"
WHERE (
  "public"."button_presses"."workspace_id" = $1
    AND "public"."button_presses"."message_id" = $2
    AND "public"."button_presses"."user_id" = $3
    AND "public"."button_presses"."client_key" = $4
)
LIMIT $5
OFFSET $6;

-- Reads button_presses.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT p.workspace_id AS "workspaceID", p.user_id AS "userID", p.pressed_at AS "pressedAt", p.number,
    p.number AS "key0"
  FROM (
    SELECT *
    FROM button_presses
    WHERE workspace_id = $2
      AND message_id = split_part(parent.id, ' ', 1)
      AND buttons_revision = split_part(parent.id, ' ', 2)::integer
      AND button_id = split_part(parent.id, ' ', 3)
    OFFSET 0
  ) AS p
  WHERE TRUE
  ORDER BY p.number ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads button_presses.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT p.workspace_id AS "workspaceID", p.user_id AS "userID", p.pressed_at AS "pressedAt", p.number,
    p.number AS "key0"
  FROM (
    SELECT *
    FROM button_presses
    WHERE workspace_id = $2
      AND message_id = split_part(parent.id, ' ', 1)
      AND buttons_revision = split_part(parent.id, ' ', 2)::integer
      AND button_id = split_part(parent.id, ' ', 3)
    OFFSET 0
  ) AS p
  WHERE TRUE
  ORDER BY p.number ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads button_presses.
SELECT wanted.id, count(*)::integer AS count,
  max(p.pressed_at) FILTER (WHERE p.user_id = $1) AS "viewerPressedAt"
FROM unnest($2::text[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT *
  FROM button_presses
  WHERE workspace_id = $3
    AND message_id = split_part(wanted.id, ' ', 1)
    AND buttons_revision = split_part(wanted.id, ' ', 2)::integer
    AND button_id = split_part(wanted.id, ' ', 3)
  OFFSET 0
) AS p
GROUP BY wanted.id;

-- Reads event_batches, event_heads, messages, search_progress, threads.
WITH progress AS MATERIALIZED (
  SELECT coalesce((SELECT position FROM search_progress WHERE workspace_id = $1), 0) AS position
), batch AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT b.*, sum(cardinality(types)) OVER (ORDER BY last_position) AS upto
    FROM progress
    CROSS JOIN LATERAL (
      SELECT *
      FROM event_batches
      WHERE workspace_id = $2 AND last_position > progress.position
      ORDER BY last_position
      LIMIT $3
    ) AS b
  ) AS counted
  WHERE upto - cardinality(types) < $4
), read AS (
  SELECT progress.position AS "from", (SELECT max(last_position) FROM batch) AS upto, 1000 *
    extract(epoch FROM now() - (SELECT max(times[cardinality(times)]) FROM batch))::float8 AS "behindMs", (
    SELECT max(last_position)
    FROM batch
  ) = (SELECT position FROM event_heads WHERE workspace_id = $5) AS "isLast"
  FROM progress
  WHERE EXISTS (SELECT FROM batch)
), named AS (
  SELECT e.object_id AS id
  FROM batch
  CROSS JOIN LATERAL unnest(types, object_ids) AS e (type, object_id)
  WHERE e.type LIKE 'message.%' OR e.type = 'thread.updated' OR e.type LIKE 'recipients.%'
  UNION
  SELECT first.id
  FROM batch
  CROSS JOIN LATERAL unnest(types, thread_ids) AS e (type, thread_id)
  CROSS JOIN LATERAL (
    SELECT id
    FROM messages
    WHERE workspace_id = $6 AND thread_id = e.thread_id AND position = 1
    OFFSET 0
  ) AS first
  WHERE e.type = 'thread.updated'
)
SELECT read.*, m.id, m.position, m.thread_id AS "threadID", m.author_id AS "authorID", m.text, t.subject,
  coalesce(t.changes, 0) AS "threadChanges", m.attachment_count AS "attachmentCount",
  m.created_at AS "createdAt", m.edited_at AS "editedAt"
FROM read
LEFT JOIN named ON TRUE
LEFT JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $7 AND id = named.id OFFSET 0) AS m ON TRUE
LEFT JOIN LATERAL (
  SELECT subject, changes
  FROM threads
  WHERE workspace_id = $8 AND id = m.thread_id AND m.position = 1
  OFFSET 0
) AS t ON TRUE;

-- Reads event_batches, event_heads, search_progress.
SELECT h.workspace_id AS "workspaceID", (
  SELECT number
  FROM event_batches b
  WHERE b.workspace_id = h.workspace_id AND b.last_position <= h.position
  ORDER BY last_position DESC
  LIMIT 1
) AS number
FROM event_heads h
LEFT JOIN search_progress p ON p.workspace_id = h.workspace_id
WHERE h.position > coalesce(p.position, 0);

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND (s.created_at, s.position, s.message_id) <
        (CAST($11 AS timestamptz(3)), CAST($12 AS integer), CAST($13 AS text))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($14 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $15
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($16 OR NOT parent."isBehind")
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $17 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($18 OR m.attachment_count = 0)
    AND (
      $19
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $20
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $21
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $22 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($23 AS timestamptz(3))
    AND s.created_at < CAST($24 AS timestamptz(3))
    AND (s.created_at, s.position, s.message_id) <
      (CAST($25 AS timestamptz(3)), CAST($26 AS integer), CAST($27 AS text))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $28
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND (s.created_at, s.position, s.message_id) >
        (CAST($11 AS timestamptz(3)), CAST($12 AS integer), CAST($13 AS text))
    ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($14 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $15
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($16 OR NOT parent."isBehind")
    ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $17 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($18 OR m.attachment_count = 0)
    AND (
      $19
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $20
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $21
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $22 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($23 AS timestamptz(3))
    AND s.created_at < CAST($24 AS timestamptz(3))
    AND (s.created_at, s.position, s.message_id) >
      (CAST($25 AS timestamptz(3)), CAST($26 AS integer), CAST($27 AS text))
  ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
  LIMIT $28
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($11, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($12, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($13 AS tsquery), $14) * $15)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($16 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $17
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($18 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $19 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($20 OR m.attachment_count = 0)
          AND (
            $21
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $22
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $23
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $24 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($25 AS timestamptz(3))
          AND s.created_at < CAST($26 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($27, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $28
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $29
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
      AND (s.rank, s.created_at, s.position, s.message_id, s.until) < (
        CAST($30 AS integer), CAST($31 AS timestamptz(3)), CAST($32 AS integer), CAST($33 AS text),
          CAST($34 AS timestamptz(3))
      )
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $35
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $36 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
    AND (s.rank, s.created_at, s.position, s.message_id, s.until) < (
      CAST($37 AS integer), CAST($38 AS timestamptz(3)), CAST($39 AS integer), CAST($40 AS text),
        CAST($41 AS timestamptz(3))
    )
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $42
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($11, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($12, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($13 AS tsquery), $14) * $15)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($16 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $17
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($18 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $19 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($20 OR m.attachment_count = 0)
          AND (
            $21
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $22
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $23
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $24 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($25 AS timestamptz(3))
          AND s.created_at < CAST($26 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($27, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $28
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $29
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
      AND (s.rank, s.created_at, s.position, s.message_id, s.until) > (
        CAST($30 AS integer), CAST($31 AS timestamptz(3)), CAST($32 AS integer), CAST($33 AS text),
          CAST($34 AS timestamptz(3))
      )
    ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
    LIMIT $35
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $36 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
    AND (s.rank, s.created_at, s.position, s.message_id, s.until) > (
      CAST($37 AS integer), CAST($38 AS timestamptz(3)), CAST($39 AS integer), CAST($40 AS text),
        CAST($41 AS timestamptz(3))
    )
  ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
  LIMIT $42
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($11, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($12, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($13 AS tsquery), $14) * $15)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($16 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $17
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($18 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $19 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($20 OR m.attachment_count = 0)
          AND (
            $21
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $22
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $23
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $24 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($25 AS timestamptz(3))
          AND s.created_at < CAST($26 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($27, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $28
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $29
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
    LIMIT $30
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $31 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
  LIMIT $32
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($11, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($12, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($13 AS tsquery), $14) * $15)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($16 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $17
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($18 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $19 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($20 OR m.attachment_count = 0)
          AND (
            $21
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $22
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $23
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $24 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($25 AS timestamptz(3))
          AND s.created_at < CAST($26 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($27, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $28
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $29
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $30
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $31 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $32
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
    ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($11 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $12
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($13 OR NOT parent."isBehind")
    ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $14 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($15 OR m.attachment_count = 0)
    AND (
      $16
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $17
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $18
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $19 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($20 AS timestamptz(3))
    AND s.created_at < CAST($21 AS timestamptz(3))
  ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
  LIMIT $22
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $4)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $5
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $6), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($7 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $8
      AND s.created_at > CAST($9 AS timestamptz(3))
      AND s.created_at < CAST($10 AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($11 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $12
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($13 OR NOT parent."isBehind")
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $14 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($15 OR m.attachment_count = 0)
    AND (
      $16
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $17
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $18
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $19 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($20 AS timestamptz(3))
    AND s.created_at < CAST($21 AS timestamptz(3))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $22
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched,
    (count(*) FILTER (WHERE CASE WHEN s."isMatch" THEN CAST($1 AS boolean) END))::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $2)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $3
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $4), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($5 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $6
      AND s.created_at > CAST($7 AS timestamptz(3))
      AND s.created_at < CAST($8 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($9, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($10, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($11 AS tsquery), $12) * $13)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($14 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $15
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($16 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $17 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($18 OR m.attachment_count = 0)
          AND (
            $19
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $20
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $21
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $22 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($23 AS timestamptz(3))
          AND s.created_at < CAST($24 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($25, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $26
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $27
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $28
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $29 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $30
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched,
    (count(*) FILTER (WHERE CASE WHEN s."isMatch" THEN CAST($1 AS boolean) END))::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $2)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $3
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $4), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($5 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $6
      AND s.created_at > CAST($7 AS timestamptz(3))
      AND s.created_at < CAST($8 AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($9 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $10
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($11 OR NOT parent."isBehind")
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $12 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($13 OR m.attachment_count = 0)
    AND (
      $14
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $15
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $16
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $17 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($18 AS timestamptz(3))
    AND s.created_at < CAST($19 AS timestamptz(3))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $20
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (
            SELECT id
            FROM threads
            WHERE workspace_id = $2 AND chat_group_id = $3
            UNION ALL
            SELECT thread_id
            FROM recipients
            WHERE workspace_id = $4 AND group_id = $5
          ) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $6)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $7
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $8), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($9 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $10
      AND s.created_at > CAST($11 AS timestamptz(3))
      AND s.created_at < CAST($12 AS timestamptz(3))
      AND s.created_at <= CAST(coalesce($13, now()) AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($14, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($15 AS tsquery), $16) * $17)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (SELECT CAST($18 AS tsquery) AS query) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $19
            OFFSET 0
          ) AS s
          WHERE TRUE AND parent.matched = 0 AND ($20 OR NOT parent."isBehind")
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $21 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($22 OR m.attachment_count = 0)
          AND (
            $23
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $24
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $25
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $26 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($27 AS timestamptz(3))
          AND s.created_at < CAST($28 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($29, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $30
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $31
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $32
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $33 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $34
) AS page ON TRUE;

-- Reads event_heads, event_notes, messages, recipients, search_progress, searchable_messages, threads, users, visible_threads.
SELECT parent.*, page.*
FROM (
  SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched, (
    count(*) FILTER (
      WHERE CASE WHEN s."isMatch" THEN CAST(
        (SELECT thread_id FROM messages WHERE workspace_id = $1 AND id = s.message_id) IN (
          SELECT id
          FROM (
            SELECT id
            FROM threads
            WHERE workspace_id = $2 AND chat_group_id = $3
            UNION ALL
            SELECT thread_id
            FROM recipients
            WHERE workspace_id = $4 AND group_id = $5
          ) AS own
          LIMIT 4000
        ) AS boolean
      ) END
    )
  )::integer AS "matchedVisible", (
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = $6)
      OR EXISTS (
        SELECT
        FROM event_heads h
        WHERE h.workspace_id = $7
          AND h.position > coalesce((SELECT position FROM search_progress WHERE workspace_id = $8), 0)
      )
  ) AS "isBehind"
  FROM (
    SELECT s.message_id, s.words @@ CAST($9 AS tsquery) AS "isMatch"
    FROM searchable_messages s
    WHERE s.workspace_id = $10
      AND s.created_at > CAST($11 AS timestamptz(3))
      AND s.created_at < CAST($12 AS timestamptz(3))
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    LIMIT 300
  ) AS s
) AS parent
LEFT JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (SELECT CAST($13 AS tsquery) AS query) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $14
      OFFSET 0
    ) AS s
    WHERE TRUE AND parent.matched = 0 AND ($15 OR NOT parent."isBehind")
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $16 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($17 OR m.attachment_count = 0)
    AND (
      $18
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $19
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $20
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $21 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($22 AS timestamptz(3))
    AND s.created_at < CAST($23 AS timestamptz(3))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $24
) AS page ON TRUE;

-- Reads files, visible_files.
SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
  f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
  f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt"
FROM (
  (SELECT * FROM files WHERE workspace_id = $1 AND md5 = $2 AND uploader_id = $3 LIMIT 1)
  UNION ALL (SELECT * FROM files WHERE workspace_id = $4 AND md5 = $5 LIMIT $6::integer)
) AS f
WHERE f.size_bytes = $7
  AND EXISTS (
    SELECT
    FROM visible_files
    WHERE viewer_id = $8 AND workspace_id = f.workspace_id AND id = f.id
    OFFSET 0
  );

-- Reads follows, group_members, mentions, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM (
        SELECT recent.*
        FROM unnest(
          ARRAY(
            SELECT $6::text
            UNION ALL
            SELECT group_id
            FROM group_members
            WHERE workspace_id = $7 AND user_id = $8 AND NOT is_muted
          )
        ) AS target (id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM mentions
          WHERE workspace_id = $9
            AND target_id = target.id
            AND mentioned_at > (
              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                u.created_at, (
                  SELECT read_floor
                  FROM read_floors
                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                  OFFSET 0
                )
              ) ELSE '-infinity' END
              FROM users u
              WHERE u.workspace_id = $10 AND u.id = $11
              OFFSET 0
            )
          OFFSET 0
        ) AS recent
        UNION
        SELECT in_kept.*
        FROM reads kept
        CROSS JOIN LATERAL (
          SELECT *
          FROM mentions
          WHERE workspace_id = $12
            AND thread_id = kept.thread_id
            AND target_id = ANY (
              ARRAY(
                SELECT $13::text
                UNION ALL
                SELECT group_id
                FROM group_members
                WHERE workspace_id = $14 AND user_id = $15 AND NOT is_muted
              )
            )
          OFFSET 0
        ) AS in_kept
        WHERE kept.workspace_id = $16 AND kept.user_id = $17 AND kept.kept_at IS NOT NULL
      ) AS recent
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $18 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $19
    AND TRUE
    AND (
      (
        t.dm_low_user_id = $20
          OR t.dm_high_user_id = $21
          OR (
            SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
            FROM group_members
            WHERE workspace_id = $22 AND user_id = $23 AND NOT is_muted
          ) ?| t.group_ids
      )
        OR EXISTS (
          SELECT
          FROM recipients
          WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $24
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM follows
          WHERE workspace_id = t.workspace_id AND user_id = $25 AND thread_id = t.id AND is_active
          OFFSET 0
        )
        AND EXISTS (
          SELECT
          FROM visible_threads
          WHERE viewer_id = $26 AND workspace_id = t.workspace_id AND id = t.id
          OFFSET 0
        )
    ) IS NOT TRUE
    AND (
      t.kind = 'dm'
        OR EXISTS (
          SELECT
          FROM (SELECT) AS one
          LEFT JOIN LATERAL (
            SELECT *
            FROM reads
            WHERE workspace_id = $27 AND user_id = $28 AND thread_id = t.id
            OFFSET 0
          ) AS known ON TRUE
          WHERE (
            SELECT count(DISTINCT m.position)::integer
            FROM mentions x
            CROSS JOIN LATERAL (
              SELECT *
              FROM messages
              WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
              OFFSET 0
            ) AS m
            WHERE x.workspace_id = $29
              AND x.thread_id = t.id
              AND x.target_id = ANY (
                ARRAY(
                  SELECT $30::text
                  UNION ALL
                  SELECT group_id
                  FROM group_members
                  WHERE workspace_id = $31 AND user_id = $32 AND NOT is_muted
                )
              )
              AND (x.position > coalesce(known.read_up_to, 0) OR t.called_at IS NOT NULL)
              AND m.author_id <> $33
              AND m.deleted_at IS NULL
              AND m.allow_mentions
              AND NOT m.is_plain
              AND (
                SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
                  coalesce(known.calls_read_up_to, '-infinity') ELSE m.position >
                  coalesce(known.read_up_to, 0) AND m.created_at > floor OR m.called_at >
                  greatest(known.calls_read_up_to, floor) END
                FROM (
                  SELECT (
                    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                      floor, (
                        SELECT joined_at
                        FROM group_members
                        WHERE workspace_id = x.workspace_id AND user_id = $34 AND group_id = x.target_id
                        OFFSET 0
                      )
                    ) END
                    FROM (
                      SELECT (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $35 AND u.id = $36
                        OFFSET 0
                      ) AS floor
                      OFFSET 0
                    ) AS person
                  ) AS floor
                  OFFSET 0
                ) AS of_mention
              )
              AND (
                NOT EXISTS (
                  SELECT
                  FROM muted_threads
                  WHERE workspace_id = t.workspace_id AND user_id = $37 AND thread_id = t.id
                  OFFSET 0
                )
                  OR x.target_id = $38
                  AND EXISTS (
                    SELECT
                    FROM users
                    WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
                    OFFSET 0
                  )
              )
          ) > 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $39 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $40
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, mentions, messages, muted_threads, read_floors, reads, recipients, threads, users.
SELECT m.id, (
  t.kind = 'dm'
    AND NOT EXISTS (
      SELECT
      FROM muted_threads
      WHERE workspace_id = t.workspace_id AND user_id = $1 AND thread_id = t.id
      OFFSET 0
    )
    OR EXISTS (
      SELECT
      FROM mentions x
      WHERE x.workspace_id = $2
        AND x.thread_id = m.thread_id
        AND x.position = m.position
        AND x.target_id = ANY (
          ARRAY(
            SELECT $3::text
            UNION ALL
            SELECT group_id
            FROM group_members
            WHERE workspace_id = $4 AND user_id = $5 AND NOT is_muted
          )
        )
        AND m.author_id <> $6
        AND m.deleted_at IS NULL
        AND m.allow_mentions
        AND NOT m.is_plain
        AND (
          SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
            coalesce(known.calls_read_up_to, '-infinity') ELSE m.position > coalesce(known.read_up_to, 0) AND
            m.created_at > floor OR m.called_at > greatest(known.calls_read_up_to, floor) END
          FROM (
            SELECT (
              SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                floor, (
                  SELECT joined_at
                  FROM group_members
                  WHERE workspace_id = x.workspace_id AND user_id = $7 AND group_id = x.target_id
                  OFFSET 0
                )
              ) END
              FROM (
                SELECT (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $8 AND u.id = $9
                  OFFSET 0
                ) AS floor
                OFFSET 0
              ) AS person
            ) AS floor
            OFFSET 0
          ) AS of_mention
        )
        AND (
          NOT EXISTS (
            SELECT
            FROM muted_threads
            WHERE workspace_id = t.workspace_id AND user_id = $10 AND thread_id = t.id
            OFFSET 0
          )
            OR x.target_id = $11
            AND EXISTS (
              SELECT
              FROM users
              WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
              OFFSET 0
            )
        )
    )
)
  AND m.author_id <> $12
  AND m.event IS NULL
  AND m.deleted_at IS NULL
  AND (m.position > state.read_up_to AND NOT m.is_silent OR m.called_at > state.calls_read_up_to) IS TRUE AS
    calls
FROM unnest($13::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $14 AND id = wanted.value OFFSET 0) AS m
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $15 AND id = m.thread_id OFFSET 0) AS t
LEFT JOIN LATERAL (
  SELECT *
  FROM reads
  WHERE workspace_id = $16 AND user_id = $17 AND thread_id = t.id
  OFFSET 0
) AS known ON TRUE
CROSS JOIN LATERAL (
  SELECT (
    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
      floor, coalesce(
        least(
          (
            SELECT to_timestamp(
              min(
                (
                  (
                    SELECT jsonb_object_agg(
                      joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                    )
                    FROM group_members joined
                    LEFT JOIN LATERAL (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = joined.workspace_id
                        AND user_id = joined.user_id
                        AND group_id = joined.group_id
                      OFFSET 0
                    ) AS marked ON TRUE
                    WHERE joined.workspace_id = $18 AND joined.user_id = $19 AND NOT joined.is_muted
                  ) ->> g
                )::float8
              )
            )
            FROM unnest(t.group_ids) AS g
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM follows
            WHERE workspace_id = $20 AND user_id = $21 AND thread_id = t.id AND is_active
            OFFSET 0
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM recipients
            WHERE workspace_id = $22 AND thread_id = t.id AND recipient_id = $23
            OFFSET 0
          )
        ), (
          SELECT to_timestamp(
            min(
              (
                (
                  SELECT jsonb_object_agg(
                    joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                  )
                  FROM group_members joined
                  LEFT JOIN LATERAL (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = joined.workspace_id
                      AND user_id = joined.user_id
                      AND group_id = joined.group_id
                    OFFSET 0
                  ) AS marked ON TRUE
                  WHERE joined.workspace_id = $24 AND joined.user_id = $25 AND joined.is_muted
                ) ->> g
              )::float8
            )
          )
          FROM unnest(t.group_ids) AS g
        )
      )
    ) END
    FROM (
      SELECT (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $26 AND u.id = $27
        OFFSET 0
      ) AS floor
      OFFSET 0
    ) AS person
  ) AS at
  OFFSET 0
) AS floor
CROSS JOIN LATERAL (
  SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
    THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN t.last_position ELSE
    greatest(known.read_up_to, position_at($28, t.id, t.last_position, floor.at)) END AS read_up_to, CASE WHEN
    known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity') ELSE
    greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
  OFFSET 0
) AS read
CROSS JOIN LATERAL (
  SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN known.own_total
    > 0 THEN (
    SELECT start.own - sign(start.position - read.read_up_to)::integer * (
      SELECT count(*)::integer
      FROM messages own
      WHERE own.workspace_id = $29
        AND own.thread_id = t.id
        AND own.author_id = $30
        AND own.author_reads
        AND own.position > least(start.position, read.read_up_to)
        AND own.position <= greatest(start.position, read.read_up_to)
    )
    FROM (SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS is_near) AS
      nearer
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
        CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
    ) AS start
  ) ELSE 0 END - (
    SELECT count(*)::integer
    FROM messages m
    WHERE m.workspace_id = $31
      AND m.thread_id = t.id
      AND m.position > read.read_up_to
      AND m.author_id <> $32
      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
  ) AS unread_after
  OFFSET 0
) AS state;

-- Reads follows, group_members, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_thread_ids, visible_threads.
WITH unread AS MATERIALIZED (
  SELECT t.group_ids
  FROM (
    SELECT t.*
    FROM (
      SELECT DISTINCT id
      FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $1 AND viewer_id = $2) AS seen
    ) AS few
    CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $3 AND id = few.id OFFSET 0) AS t
    WHERE t.workspace_id = $4
      AND EXISTS (
        SELECT
        FROM visible_threads
        WHERE viewer_id = $5 AND workspace_id = t.workspace_id AND id = t.id
        OFFSET 0
      )
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
    LIMIT $6::integer
  ) AS t
  WHERE TRUE
    AND t.kind <> 'dm'
    AND t.id NOT IN (SELECT thread_id FROM muted_threads WHERE workspace_id = $7 AND user_id = $8)
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $9 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $10 AND u.id = $11
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $12 AND u.id = $13
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $14 AND u.id = $15
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $16 AND joined.user_id = $17 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $18 AND joined.user_id = $19 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $20
                                  AND joined.user_id = $21
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $22
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $23 AND u.id = $24
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $25 AND u.id = $26
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $27 AND joined.user_id = $28 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $29
                                AND joined.user_id = $30
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $31
                                    AND joined.user_id = $32
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $33 AND user_id = $34 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $35
                                    AND joined.user_id = $36
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $37 AND user_id = $38 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $39 AND thread_id = t.id AND recipient_id = $40
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $41 AND joined.user_id = $42 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $43 AND u.id = $44
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($45, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $46
                      AND own.thread_id = t.id
                      AND own.author_id = $47
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $48
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $49
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $50
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $51
                    AND m.deleted_at IS NULL
                )
            )
        )
    )
)
SELECT (SELECT count(*)::integer FROM unread) AS threads, ARRAY(SELECT DISTINCT unnest(group_ids) FROM unread)
  AS "groupIDs";

-- Reads follows, group_members, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_threads.
WITH unread AS MATERIALIZED (
  SELECT t.group_ids
  FROM (
    SELECT t.*
    FROM (
      SELECT *
      FROM threads t
      WHERE t.workspace_id = $1
      ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
      OFFSET 0
    ) AS t
    WHERE t.workspace_id = $2
      AND EXISTS (
        SELECT
        FROM visible_threads
        WHERE viewer_id = $3 AND workspace_id = t.workspace_id AND id = t.id
        OFFSET 0
      )
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
    LIMIT $4::integer
  ) AS t
  WHERE TRUE
    AND t.kind <> 'dm'
    AND t.id NOT IN (SELECT thread_id FROM muted_threads WHERE workspace_id = $5 AND user_id = $6)
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $7 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $8 AND u.id = $9
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $10 AND u.id = $11
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $12 AND u.id = $13
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $14 AND joined.user_id = $15 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $16 AND joined.user_id = $17 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $18
                                  AND joined.user_id = $19
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $20
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $21 AND u.id = $22
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $23 AND u.id = $24
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $25 AND joined.user_id = $26 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $27
                                AND joined.user_id = $28
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $29
                                    AND joined.user_id = $30
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $31 AND user_id = $32 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $33
                                    AND joined.user_id = $34
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $35 AND user_id = $36 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $37 AND thread_id = t.id AND recipient_id = $38
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $39 AND joined.user_id = $40 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $41 AND u.id = $42
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($43, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $44
                      AND own.thread_id = t.id
                      AND own.author_id = $45
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $46
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $47
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $48
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $49
                    AND m.deleted_at IS NULL
                )
            )
        )
    )
)
SELECT (SELECT count(*)::integer FROM unread) AS threads, ARRAY(SELECT DISTINCT unnest(group_ids) FROM unread)
  AS "groupIDs";

-- Reads follows, group_members, messages, muted_threads, read_floors, reads, recipients, threads, users, visible_threads.
WITH unread AS MATERIALIZED (
  SELECT t.group_ids
  FROM (
    SELECT t.*
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT id
        FROM threads
        WHERE workspace_id = $1 AND dm_low_user_id = $2
        UNION ALL
        SELECT id
        FROM threads
        WHERE workspace_id = $3 AND dm_high_user_id = $4
        UNION ALL
        SELECT thread_id
        FROM recipients
        WHERE workspace_id = $5 AND user_id = $6
        UNION ALL
        SELECT thread_id
        FROM follows
        WHERE workspace_id = $7 AND user_id = $8 AND is_active
        UNION ALL
        SELECT of_group.id
        FROM group_members m
        CROSS JOIN LATERAL (
          SELECT id
          FROM threads
          WHERE workspace_id = $9 AND chat_group_id = m.group_id
          UNION ALL
          SELECT thread_id
          FROM recipients
          WHERE workspace_id = $10 AND group_id = m.group_id
          OFFSET 0
        ) AS of_group
        WHERE m.workspace_id = $11 AND m.user_id = $12 AND NOT m.is_muted
      ) AS seen
    ) AS few
    CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $13 AND id = few.id OFFSET 0) AS t
    WHERE t.last_activity_at > (
      SELECT CASE WHEN u.kind = 'person' THEN greatest(
        u.created_at, (
          SELECT read_floor
          FROM read_floors
          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
          OFFSET 0
        )
      ) ELSE '-infinity' END
      FROM users u
      WHERE u.workspace_id = $14 AND u.id = $15
      OFFSET 0
    )
    UNION ALL
    SELECT t.*
    FROM reads kept
    CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $16 AND id = kept.thread_id OFFSET 0) AS t
    WHERE kept.workspace_id = $17
      AND kept.user_id = $18
      AND kept.kept_at IS NOT NULL
      AND t.last_activity_at <= (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $19 AND u.id = $20
        OFFSET 0
      )
  ) AS t
  WHERE (
    (
      t.dm_low_user_id = $21
        OR t.dm_high_user_id = $22
        OR (
          SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
          FROM group_members
          WHERE workspace_id = $23 AND user_id = $24 AND NOT is_muted
        ) ?| t.group_ids
    )
      OR t.id IN (SELECT thread_id FROM recipients WHERE workspace_id = $25 AND user_id = $26)
      OR t.id IN (SELECT thread_id FROM follows WHERE workspace_id = $27 AND user_id = $28 AND is_active)
      AND EXISTS (
        SELECT
        FROM visible_threads
        WHERE viewer_id = $29 AND workspace_id = t.workspace_id AND id = t.id
        OFFSET 0
      )
  )
    AND t.kind <> 'dm'
    AND t.id NOT IN (SELECT thread_id FROM muted_threads WHERE workspace_id = $30 AND user_id = $31)
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $32 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $33 AND u.id = $34
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $35 AND u.id = $36
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $37 AND u.id = $38
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $39 AND joined.user_id = $40 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $41 AND joined.user_id = $42 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $43
                                  AND joined.user_id = $44
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $45
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $46 AND u.id = $47
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $48 AND u.id = $49
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $50 AND joined.user_id = $51 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $52
                                AND joined.user_id = $53
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $54
                                    AND joined.user_id = $55
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $56 AND user_id = $57 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $58
                                    AND joined.user_id = $59
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $60 AND user_id = $61 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $62 AND thread_id = t.id AND recipient_id = $63
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $64 AND joined.user_id = $65 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $66 AND u.id = $67
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($68, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $69
                      AND own.thread_id = t.id
                      AND own.author_id = $70
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $71
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $72
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $73
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $74
                    AND m.deleted_at IS NULL
                )
            )
        )
    )
)
SELECT (SELECT count(*)::integer FROM unread) AS threads, ARRAY(SELECT DISTINCT unnest(group_ids) FROM unread)
  AS "groupIDs";

-- Reads follows, group_members, messages, muted_threads, read_floors, reads, recipients, threads, users.
SELECT coalesce(
  sum(
    state.unread_after + (
      SELECT count(*)
      FROM messages m
      WHERE t.called_at > state.calls_read_up_to
        AND m.workspace_id = $1
        AND m.thread_id = t.id
        AND m.called_at > state.calls_read_up_to
        AND m.position <= state.read_up_to
        AND m.author_id <> $2
        AND m.deleted_at IS NULL
    )
  ), 0
)::integer AS count
FROM (
  SELECT *
  FROM threads
  WHERE workspace_id = $3 AND dm_low_user_id = $4
  UNION ALL
  SELECT *
  FROM threads
  WHERE workspace_id = $5 AND dm_high_user_id = $6
  OFFSET 0
) AS t
LEFT JOIN LATERAL (SELECT * FROM reads WHERE workspace_id = $7 AND user_id = $8 AND thread_id = t.id OFFSET 0)
  AS known ON TRUE
CROSS JOIN LATERAL (
  SELECT (
    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
      floor, coalesce(
        least(
          (
            SELECT to_timestamp(
              min(
                (
                  (
                    SELECT jsonb_object_agg(
                      joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                    )
                    FROM group_members joined
                    LEFT JOIN LATERAL (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = joined.workspace_id
                        AND user_id = joined.user_id
                        AND group_id = joined.group_id
                      OFFSET 0
                    ) AS marked ON TRUE
                    WHERE joined.workspace_id = $9 AND joined.user_id = $10 AND NOT joined.is_muted
                  ) ->> g
                )::float8
              )
            )
            FROM unnest(t.group_ids) AS g
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM follows
            WHERE workspace_id = $11 AND user_id = $12 AND thread_id = t.id AND is_active
            OFFSET 0
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM recipients
            WHERE workspace_id = $13 AND thread_id = t.id AND recipient_id = $14
            OFFSET 0
          )
        ), (
          SELECT to_timestamp(
            min(
              (
                (
                  SELECT jsonb_object_agg(
                    joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                  )
                  FROM group_members joined
                  LEFT JOIN LATERAL (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = joined.workspace_id
                      AND user_id = joined.user_id
                      AND group_id = joined.group_id
                    OFFSET 0
                  ) AS marked ON TRUE
                  WHERE joined.workspace_id = $15 AND joined.user_id = $16 AND joined.is_muted
                ) ->> g
              )::float8
            )
          )
          FROM unnest(t.group_ids) AS g
        )
      )
    ) END
    FROM (
      SELECT (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $17 AND u.id = $18
        OFFSET 0
      ) AS floor
      OFFSET 0
    ) AS person
  ) AS at
  OFFSET 0
) AS floor
CROSS JOIN LATERAL (
  SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
    THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN t.last_position ELSE
    greatest(known.read_up_to, position_at($19, t.id, t.last_position, floor.at)) END AS read_up_to, CASE WHEN
    known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity') ELSE
    greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
  OFFSET 0
) AS read
CROSS JOIN LATERAL (
  SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN known.own_total
    > 0 THEN (
    SELECT start.own - sign(start.position - read.read_up_to)::integer * (
      SELECT count(*)::integer
      FROM messages own
      WHERE own.workspace_id = $20
        AND own.thread_id = t.id
        AND own.author_id = $21
        AND own.author_reads
        AND own.position > least(start.position, read.read_up_to)
        AND own.position <= greatest(start.position, read.read_up_to)
    )
    FROM (SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS is_near) AS
      nearer
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
        CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
    ) AS start
  ) ELSE 0 END - (
    SELECT count(*)::integer
    FROM messages m
    WHERE m.workspace_id = $22
      AND m.thread_id = t.id
      AND m.position > read.read_up_to
      AND m.author_id <> $23
      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
  ) AS unread_after
  OFFSET 0
) AS state
WHERE t.last_position > 0
  AND NOT EXISTS (
    SELECT
    FROM muted_threads
    WHERE workspace_id = t.workspace_id AND user_id = $24 AND thread_id = t.id
    OFFSET 0
  );

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion"
  FROM (
    SELECT DISTINCT id
    FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $6 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $7 AND u.id = $8
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $9 AND u.id = $10
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $11 AND u.id = $12
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $13 AND joined.user_id = $14 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $15 AND joined.user_id = $16 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $17
                                  AND joined.user_id = $18
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $19
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $20 AND u.id = $21
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $22 AND u.id = $23
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $24 AND joined.user_id = $25 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $26
                                AND joined.user_id = $27
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $28
                                    AND joined.user_id = $29
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $30 AND user_id = $31 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $32
                                    AND joined.user_id = $33
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $34 AND user_id = $35 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $36 AND thread_id = t.id AND recipient_id = $37
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $38 AND joined.user_id = $39 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $40 AND u.id = $41
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($42, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $43
                      AND own.thread_id = t.id
                      AND own.author_id = $44
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $45
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $46
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $47
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $48
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $49
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $50 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $51
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $6 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $7 AND u.id = $8
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $9 AND u.id = $10
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $11 AND u.id = $12
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $13 AND joined.user_id = $14 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $15 AND joined.user_id = $16 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $17
                                  AND joined.user_id = $18
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $19
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $20 AND u.id = $21
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $22 AND u.id = $23
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $24 AND joined.user_id = $25 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $26
                                AND joined.user_id = $27
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $28
                                    AND joined.user_id = $29
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $30 AND user_id = $31 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $32
                                    AND joined.user_id = $33
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $34 AND user_id = $35 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $36 AND thread_id = t.id AND recipient_id = $37
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $38 AND joined.user_id = $39 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $40 AND u.id = $41
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($42, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $43
                      AND own.thread_id = t.id
                      AND own.author_id = $44
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $45
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $46
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $47
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $48
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $49
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $50 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $51
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND chat_group_id = $3
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $4 AND group_id = $5
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $6 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $7
    AND TRUE
    AND (
      t.chat_group_id = $8
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $9
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $10 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $11 AND u.id = $12
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $13 AND u.id = $14
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $15 AND u.id = $16
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $17 AND joined.user_id = $18 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $19 AND joined.user_id = $20 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $21
                                  AND joined.user_id = $22
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $23
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $24 AND u.id = $25
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $26 AND u.id = $27
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $28 AND joined.user_id = $29 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $30
                                AND joined.user_id = $31
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $32
                                    AND joined.user_id = $33
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $34 AND user_id = $35 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $36
                                    AND joined.user_id = $37
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $38 AND user_id = $39 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $40 AND thread_id = t.id AND recipient_id = $41
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $42 AND joined.user_id = $43 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $44 AND u.id = $45
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($46, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $47
                      AND own.thread_id = t.id
                      AND own.author_id = $48
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $49
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $50
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $51
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $52
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $53
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $54 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $55
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion"
  FROM (SELECT * FROM threads t WHERE t.workspace_id = $2 ORDER BY t.created_at ASC, t.id ASC OFFSET 0) AS t
  WHERE t.workspace_id = $3
    AND TRUE
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $4 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $5 AND u.id = $6
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $7 AND u.id = $8
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $9 AND u.id = $10
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $11 AND joined.user_id = $12 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $13 AND joined.user_id = $14 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $15
                                  AND joined.user_id = $16
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $17
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $18 AND u.id = $19
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $20 AND u.id = $21
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $22 AND joined.user_id = $23 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $24
                                AND joined.user_id = $25
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $26
                                    AND joined.user_id = $27
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $28 AND user_id = $29 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $30
                                    AND joined.user_id = $31
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $32 AND user_id = $33 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $34 AND thread_id = t.id AND recipient_id = $35
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $36 AND joined.user_id = $37 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $38 AND u.id = $39
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($40, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $41
                      AND own.thread_id = t.id
                      AND own.author_id = $42
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $43
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $44
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $45
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $46
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $47
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $48 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $49
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT *
    FROM threads t
    WHERE t.workspace_id = $2
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $3
    AND TRUE
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $4 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $5 AND u.id = $6
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $7 AND u.id = $8
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $9 AND u.id = $10
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $11 AND joined.user_id = $12 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $13 AND joined.user_id = $14 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $15
                                  AND joined.user_id = $16
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $17
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $18 AND u.id = $19
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $20 AND u.id = $21
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $22 AND joined.user_id = $23 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $24
                                AND joined.user_id = $25
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $26
                                    AND joined.user_id = $27
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $28 AND user_id = $29 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $30
                                    AND joined.user_id = $31
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $32 AND user_id = $33 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $34 AND thread_id = t.id AND recipient_id = $35
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $36 AND joined.user_id = $37 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $38 AND u.id = $39
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($40, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $41
                      AND own.thread_id = t.id
                      AND own.author_id = $42
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $43
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $44
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $45
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $46
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $47
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $48 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $49
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND chat_group_id = $3
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $4 AND group_id = $5
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $6 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $7
    AND TRUE
    AND (
      t.chat_group_id = $8
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $9
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $10 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $11 AND u.id = $12
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $13 AND u.id = $14
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $15 AND u.id = $16
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $17 AND joined.user_id = $18 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $19 AND joined.user_id = $20 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $21
                                  AND joined.user_id = $22
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $23
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $24 AND u.id = $25
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $26 AND u.id = $27
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $28 AND joined.user_id = $29 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $30
                                AND joined.user_id = $31
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $32
                                    AND joined.user_id = $33
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $34 AND user_id = $35 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $36
                                    AND joined.user_id = $37
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $38 AND user_id = $39 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $40 AND thread_id = t.id AND recipient_id = $41
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $42 AND joined.user_id = $43 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $44 AND u.id = $45
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($46, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $47
                      AND own.thread_id = t.id
                      AND own.author_id = $48
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $49
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $50
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $51
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $52
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $53
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $54 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $55
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $6 AND user_id = $7
      UNION ALL
      SELECT thread_id
      FROM follows
      WHERE workspace_id = $8 AND user_id = $9 AND is_active
      UNION ALL
      SELECT of_group.id
      FROM group_members m
      CROSS JOIN LATERAL (
        SELECT id
        FROM threads
        WHERE workspace_id = $10 AND chat_group_id = m.group_id
        UNION ALL
        SELECT thread_id
        FROM recipients
        WHERE workspace_id = $11 AND group_id = m.group_id
        OFFSET 0
      ) AS of_group
      WHERE m.workspace_id = $12 AND m.user_id = $13 AND NOT m.is_muted
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $14 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $15
    AND TRUE
    AND (
      (
        t.dm_low_user_id = $16
          OR t.dm_high_user_id = $17
          OR (
            SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
            FROM group_members
            WHERE workspace_id = $18 AND user_id = $19 AND NOT is_muted
          ) ?| t.group_ids
      )
        OR EXISTS (
          SELECT
          FROM recipients
          WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $20
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM follows
          WHERE workspace_id = t.workspace_id AND user_id = $21 AND thread_id = t.id AND is_active
          OFFSET 0
        )
        AND EXISTS (
          SELECT
          FROM visible_threads
          WHERE viewer_id = $22 AND workspace_id = t.workspace_id AND id = t.id
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM (SELECT) AS one
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = t.workspace_id AND user_id = $23 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
      WHERE (
        t.last_activity_at > (
          SELECT CASE WHEN u.kind = 'person' THEN greatest(
            u.created_at, (
              SELECT read_floor
              FROM read_floors
              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
              OFFSET 0
            )
          ) ELSE '-infinity' END
          FROM users u
          WHERE u.workspace_id = $24 AND u.id = $25
          OFFSET 0
        )
          OR known.kept_at IS NOT NULL
      )
        AND (
          t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
            OR t.called_at > coalesce(known.calls_read_up_to, '-infinity')
        )
        AND (
          (
            t.called_at IS NULL
              AND t.last_position > coalesce(known.read_up_to, 0)
              AND known.own_total IS NOT DISTINCT FROM known.own_read
              AND (
                t.last_activity_at > (
                  SELECT CASE WHEN u.kind = 'person' THEN greatest(
                    u.created_at, (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                      OFFSET 0
                    )
                  ) ELSE '-infinity' END
                  FROM users u
                  WHERE u.workspace_id = $26 AND u.id = $27
                  OFFSET 0
                )
                  AND (
                    t.kind = 'dm'
                      OR (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $28 AND u.id = $29
                        OFFSET 0
                      ) = '-infinity'
                      OR (
                        SELECT jsonb_object_agg(
                          joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                        )
                        FROM group_members joined
                        LEFT JOIN LATERAL (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = joined.workspace_id
                            AND user_id = joined.user_id
                            AND group_id = joined.group_id
                          OFFSET 0
                        ) AS marked ON TRUE
                        WHERE joined.workspace_id = $30 AND joined.user_id = $31 AND NOT joined.is_muted
                      ) ?| t.group_ids
                      AND t.last_activity_at > (
                        SELECT to_timestamp(max(floor::float8))
                        FROM jsonb_each_text(
                          (
                            SELECT jsonb_object_agg(
                              joined.group_id,
                                extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                            )
                            FROM group_members joined
                            LEFT JOIN LATERAL (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = joined.workspace_id
                                AND user_id = joined.user_id
                                AND group_id = joined.group_id
                              OFFSET 0
                            ) AS marked ON TRUE
                            WHERE joined.workspace_id = $32 AND joined.user_id = $33 AND NOT joined.is_muted
                          )
                        ) AS each (id, floor)
                      )
                      OR t.last_activity_at > (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $34
                                  AND joined.user_id = $35
                                  AND NOT joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                  )
              )
              AND NOT EXISTS (
                SELECT
                FROM messages m
                WHERE m.workspace_id = t.workspace_id
                  AND m.thread_id = t.id
                  AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                OFFSET 0
              )
          )
            OR EXISTS (
              SELECT
              FROM messages m
              WHERE m.workspace_id = t.workspace_id
                AND m.thread_id = t.id
                AND m.position = t.last_position
                AND m.position > coalesce(known.read_up_to, 0)
                AND m.author_id <> $36
                AND m.event IS NULL
                AND m.deleted_at IS NULL
                AND (
                  m.created_at > (
                    SELECT CASE WHEN u.kind = 'person' THEN greatest(
                      u.created_at, (
                        SELECT read_floor
                        FROM read_floors
                        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                        OFFSET 0
                      )
                    ) ELSE '-infinity' END
                    FROM users u
                    WHERE u.workspace_id = $37 AND u.id = $38
                    OFFSET 0
                  )
                    AND (
                      t.kind = 'dm'
                        OR (
                          SELECT CASE WHEN u.kind = 'person' THEN greatest(
                            u.created_at, (
                              SELECT read_floor
                              FROM read_floors
                              WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                              OFFSET 0
                            )
                          ) ELSE '-infinity' END
                          FROM users u
                          WHERE u.workspace_id = $39 AND u.id = $40
                          OFFSET 0
                        ) = '-infinity'
                        OR (
                          SELECT jsonb_object_agg(
                            joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                          )
                          FROM group_members joined
                          LEFT JOIN LATERAL (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = joined.workspace_id
                              AND user_id = joined.user_id
                              AND group_id = joined.group_id
                            OFFSET 0
                          ) AS marked ON TRUE
                          WHERE joined.workspace_id = $41 AND joined.user_id = $42 AND NOT joined.is_muted
                        ) ?| t.group_ids
                        AND m.created_at > (
                          SELECT to_timestamp(max(floor::float8))
                          FROM jsonb_each_text(
                            (
                              SELECT jsonb_object_agg(
                                joined.group_id,
                                  extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                              )
                              FROM group_members joined
                              LEFT JOIN LATERAL (
                                SELECT read_floor
                                FROM read_floors
                                WHERE workspace_id = joined.workspace_id
                                  AND user_id = joined.user_id
                                  AND group_id = joined.group_id
                                OFFSET 0
                              ) AS marked ON TRUE
                              WHERE joined.workspace_id = $43
                                AND joined.user_id = $44
                                AND NOT joined.is_muted
                            )
                          ) AS each (id, floor)
                        )
                        OR m.created_at > (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $45
                                    AND joined.user_id = $46
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        )
                    )
                )
              OFFSET 0
            )
            OR EXISTS (
              SELECT
              FROM (SELECT t.* OFFSET 0) AS t
              LEFT JOIN LATERAL (
                SELECT *
                FROM reads
                WHERE workspace_id = $47 AND user_id = $48 AND thread_id = t.id
                OFFSET 0
              ) AS known ON TRUE
              CROSS JOIN LATERAL (
                SELECT (
                  SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                    floor, coalesce(
                      least(
                        (
                          SELECT to_timestamp(
                            min(
                              (
                                (
                                  SELECT jsonb_object_agg(
                                    joined.group_id,
                                      extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                  )
                                  FROM group_members joined
                                  LEFT JOIN LATERAL (
                                    SELECT read_floor
                                    FROM read_floors
                                    WHERE workspace_id = joined.workspace_id
                                      AND user_id = joined.user_id
                                      AND group_id = joined.group_id
                                    OFFSET 0
                                  ) AS marked ON TRUE
                                  WHERE joined.workspace_id = $49
                                    AND joined.user_id = $50
                                    AND NOT joined.is_muted
                                ) ->> g
                              )::float8
                            )
                          )
                          FROM unnest(t.group_ids) AS g
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM follows
                          WHERE workspace_id = $51 AND user_id = $52 AND thread_id = t.id AND is_active
                          OFFSET 0
                        ), (
                          SELECT coalesce(read_floor, '-infinity')
                          FROM recipients
                          WHERE workspace_id = $53 AND thread_id = t.id AND recipient_id = $54
                          OFFSET 0
                        )
                      ), (
                        SELECT to_timestamp(
                          min(
                            (
                              (
                                SELECT jsonb_object_agg(
                                  joined.group_id,
                                    extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                                )
                                FROM group_members joined
                                LEFT JOIN LATERAL (
                                  SELECT read_floor
                                  FROM read_floors
                                  WHERE workspace_id = joined.workspace_id
                                    AND user_id = joined.user_id
                                    AND group_id = joined.group_id
                                  OFFSET 0
                                ) AS marked ON TRUE
                                WHERE joined.workspace_id = $55 AND joined.user_id = $56 AND joined.is_muted
                              ) ->> g
                            )::float8
                          )
                        )
                        FROM unnest(t.group_ids) AS g
                      )
                    )
                  ) END
                  FROM (
                    SELECT (
                      SELECT CASE WHEN u.kind = 'person' THEN greatest(
                        u.created_at, (
                          SELECT read_floor
                          FROM read_floors
                          WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                          OFFSET 0
                        )
                      ) ELSE '-infinity' END
                      FROM users u
                      WHERE u.workspace_id = $57 AND u.id = $58
                      OFFSET 0
                    ) AS floor
                    OFFSET 0
                  ) AS person
                ) AS at
                OFFSET 0
              ) AS floor
              CROSS JOIN LATERAL (
                SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to =
                  t.last_position THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN
                  t.last_position ELSE
                  greatest(known.read_up_to, position_at($59, t.id, t.last_position, floor.at)) END AS
                  read_up_to, CASE WHEN known.kept_at > floor.at THEN
                  coalesce(known.calls_read_up_to, '-infinity') ELSE
                  greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
                OFFSET 0
              ) AS read
              CROSS JOIN LATERAL (
                SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN
                  known.own_total > 0 THEN (
                  SELECT start.own - sign(start.position - read.read_up_to)::integer * (
                    SELECT count(*)::integer
                    FROM messages own
                    WHERE own.workspace_id = $60
                      AND own.thread_id = t.id
                      AND own.author_id = $61
                      AND own.author_reads
                      AND own.position > least(start.position, read.read_up_to)
                      AND own.position <= greatest(start.position, read.read_up_to)
                  )
                  FROM (
                    SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS
                      is_near
                  ) AS nearer
                  CROSS JOIN LATERAL (
                    SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
                      CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
                  ) AS start
                ) ELSE 0 END - (
                  SELECT count(*)::integer
                  FROM messages m
                  WHERE m.workspace_id = $62
                    AND m.thread_id = t.id
                    AND m.position > read.read_up_to
                    AND m.author_id <> $63
                    AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
                ) AS unread_after
                OFFSET 0
              ) AS state
              WHERE state.unread_after > 0
                OR EXISTS (
                  SELECT
                  FROM messages m
                  WHERE t.called_at > state.calls_read_up_to
                    AND m.workspace_id = $64
                    AND m.thread_id = t.id
                    AND m.called_at > state.calls_read_up_to
                    AND m.position <= state.read_up_to
                    AND m.author_id <> $65
                    AND m.deleted_at IS NULL
                )
            )
        )
    ) = $66
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $67
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, messages, read_floors, reads, recipients, threads, users.
SELECT t.id AS "threadID", t.last_position AS "lastPosition", state.read_up_to AS "readUpTo",
  state.unread_after AS "unreadAfter", called.*
FROM unnest($1::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $2 AND id = wanted.id OFFSET 0) AS t
LEFT JOIN LATERAL (SELECT * FROM reads WHERE workspace_id = $3 AND user_id = $4 AND thread_id = t.id OFFSET 0)
  AS known ON TRUE
CROSS JOIN LATERAL (
  SELECT (
    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
      floor, coalesce(
        least(
          (
            SELECT to_timestamp(
              min(
                (
                  (
                    SELECT jsonb_object_agg(
                      joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                    )
                    FROM group_members joined
                    LEFT JOIN LATERAL (
                      SELECT read_floor
                      FROM read_floors
                      WHERE workspace_id = joined.workspace_id
                        AND user_id = joined.user_id
                        AND group_id = joined.group_id
                      OFFSET 0
                    ) AS marked ON TRUE
                    WHERE joined.workspace_id = $5 AND joined.user_id = $6 AND NOT joined.is_muted
                  ) ->> g
                )::float8
              )
            )
            FROM unnest(t.group_ids) AS g
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM follows
            WHERE workspace_id = $7 AND user_id = $8 AND thread_id = t.id AND is_active
            OFFSET 0
          ), (
            SELECT coalesce(read_floor, '-infinity')
            FROM recipients
            WHERE workspace_id = $9 AND thread_id = t.id AND recipient_id = $10
            OFFSET 0
          )
        ), (
          SELECT to_timestamp(
            min(
              (
                (
                  SELECT jsonb_object_agg(
                    joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor))
                  )
                  FROM group_members joined
                  LEFT JOIN LATERAL (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = joined.workspace_id
                      AND user_id = joined.user_id
                      AND group_id = joined.group_id
                    OFFSET 0
                  ) AS marked ON TRUE
                  WHERE joined.workspace_id = $11 AND joined.user_id = $12 AND joined.is_muted
                ) ->> g
              )::float8
            )
          )
          FROM unnest(t.group_ids) AS g
        )
      )
    ) END
    FROM (
      SELECT (
        SELECT CASE WHEN u.kind = 'person' THEN greatest(
          u.created_at, (
            SELECT read_floor
            FROM read_floors
            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
            OFFSET 0
          )
        ) ELSE '-infinity' END
        FROM users u
        WHERE u.workspace_id = $13 AND u.id = $14
        OFFSET 0
      ) AS floor
      OFFSET 0
    ) AS person
  ) AS at
  OFFSET 0
) AS floor
CROSS JOIN LATERAL (
  SELECT CASE WHEN known.kept_at > floor.at OR floor.at = '-infinity' OR known.read_up_to = t.last_position
    THEN coalesce(known.read_up_to, 0) WHEN t.last_activity_at <= floor.at THEN t.last_position ELSE
    greatest(known.read_up_to, position_at($15, t.id, t.last_position, floor.at)) END AS read_up_to, CASE WHEN
    known.kept_at > floor.at THEN coalesce(known.calls_read_up_to, '-infinity') ELSE
    greatest(known.calls_read_up_to, floor.at) END AS calls_read_up_to
  OFFSET 0
) AS read
CROSS JOIN LATERAL (
  SELECT read.*, t.last_position - read.read_up_to - coalesce(known.own_total, 0) + CASE WHEN known.own_total
    > 0 THEN (
    SELECT start.own - sign(start.position - read.read_up_to)::integer * (
      SELECT count(*)::integer
      FROM messages own
      WHERE own.workspace_id = $16
        AND own.thread_id = t.id
        AND own.author_id = $17
        AND own.author_reads
        AND own.position > least(start.position, read.read_up_to)
        AND own.position <= greatest(start.position, read.read_up_to)
    )
    FROM (SELECT abs(read.read_up_to - known.read_up_to) <= t.last_position - read.read_up_to AS is_near) AS
      nearer
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_near THEN known.read_up_to ELSE t.last_position END AS position,
        CASE WHEN is_near THEN known.own_read ELSE known.own_total END AS own
    ) AS start
  ) ELSE 0 END - (
    SELECT count(*)::integer
    FROM messages m
    WHERE m.workspace_id = $18
      AND m.thread_id = t.id
      AND m.position > read.read_up_to
      AND m.author_id <> $19
      AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
  ) AS unread_after
  OFFSET 0
) AS state
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS "calledAgain", (array_agg(m.position ORDER BY m.called_at))[1] AS "firstCalled"
  FROM messages m
  WHERE t.called_at > state.calls_read_up_to
    AND m.workspace_id = $20
    AND m.thread_id = t.id
    AND m.called_at > state.calls_read_up_to
    AND m.position <= state.read_up_to
    AND m.author_id <> $21
    AND m.deleted_at IS NULL
) AS called;

-- Reads follows, group_members, recipients, threads, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND (
      (
        t.dm_low_user_id = $6
          OR t.dm_high_user_id = $7
          OR (
            SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
            FROM group_members
            WHERE workspace_id = $8 AND user_id = $9 AND NOT is_muted
          ) ?| t.group_ids
      )
        OR EXISTS (
          SELECT
          FROM recipients
          WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $10
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM follows
          WHERE workspace_id = t.workspace_id AND user_id = $11 AND thread_id = t.id AND is_active
          OFFSET 0
        )
        AND EXISTS (
          SELECT
          FROM visible_threads
          WHERE viewer_id = $12 AND workspace_id = t.workspace_id AND id = t.id
          OFFSET 0
        )
    ) IS NOT TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $13 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $14
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, recipients, threads, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT *
    FROM threads t
    WHERE t.workspace_id = $2
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $3
    AND TRUE
    AND (
      (
        t.dm_low_user_id = $4
          OR t.dm_high_user_id = $5
          OR (
            SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
            FROM group_members
            WHERE workspace_id = $6 AND user_id = $7 AND NOT is_muted
          ) ?| t.group_ids
      )
        OR EXISTS (
          SELECT
          FROM recipients
          WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $8
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM follows
          WHERE workspace_id = t.workspace_id AND user_id = $9 AND thread_id = t.id AND is_active
          OFFSET 0
        )
        AND EXISTS (
          SELECT
          FROM visible_threads
          WHERE viewer_id = $10 AND workspace_id = t.workspace_id AND id = t.id
          OFFSET 0
        )
    ) IS NOT TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $11 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $12
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, recipients, threads, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $6 AND user_id = $7
      UNION ALL
      SELECT thread_id
      FROM follows
      WHERE workspace_id = $8 AND user_id = $9 AND is_active
      UNION ALL
      SELECT of_group.id
      FROM group_members m
      CROSS JOIN LATERAL (
        SELECT id
        FROM threads
        WHERE workspace_id = $10 AND chat_group_id = m.group_id
        UNION ALL
        SELECT thread_id
        FROM recipients
        WHERE workspace_id = $11 AND group_id = m.group_id
        OFFSET 0
      ) AS of_group
      WHERE m.workspace_id = $12 AND m.user_id = $13 AND NOT m.is_muted
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $14 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $15
    AND TRUE
    AND (
      (
        t.dm_low_user_id = $16
          OR t.dm_high_user_id = $17
          OR (
            SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
            FROM group_members
            WHERE workspace_id = $18 AND user_id = $19 AND NOT is_muted
          ) ?| t.group_ids
      )
        OR EXISTS (
          SELECT
          FROM recipients
          WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $20
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM follows
          WHERE workspace_id = t.workspace_id AND user_id = $21 AND thread_id = t.id AND is_active
          OFFSET 0
        )
        AND EXISTS (
          SELECT
          FROM visible_threads
          WHERE viewer_id = $22 AND workspace_id = t.workspace_id AND id = t.id
          OFFSET 0
        )
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $23
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, group_members, recipients, threads, visible_threads.
SELECT t.id
FROM unnest($1::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $2 AND id = wanted.id OFFSET 0) AS t
WHERE (
  (
    t.dm_low_user_id = $3
      OR t.dm_high_user_id = $4
      OR (
        SELECT coalesce(jsonb_object_agg(group_id, TRUE), '{}')
        FROM group_members
        WHERE workspace_id = $5 AND user_id = $6 AND NOT is_muted
      ) ?| t.group_ids
  )
    OR EXISTS (
      SELECT
      FROM recipients
      WHERE workspace_id = t.workspace_id AND thread_id = t.id AND recipient_id = $7
      OFFSET 0
    )
    OR EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = t.workspace_id AND user_id = $8 AND thread_id = t.id AND is_active
      OFFSET 0
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $9 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
);

-- Reads follows, group_members, recipients, threads.
SELECT own.total::integer, (
  SELECT count(*)
  FROM (
    SELECT
    FROM threads t
    WHERE t.workspace_id = $1
    LIMIT CASE WHEN own.total > $2 THEN 0 ELSE own.total * own.total / 50 END
  ) AS scanned
)::integer AS others
FROM (
  SELECT count(*) AS total
  FROM (
    SELECT id
    FROM threads
    WHERE workspace_id = $3 AND dm_low_user_id = $4
    UNION ALL
    SELECT id
    FROM threads
    WHERE workspace_id = $5 AND dm_high_user_id = $6
    UNION ALL
    SELECT thread_id
    FROM recipients
    WHERE workspace_id = $7 AND user_id = $8
    UNION ALL
    SELECT thread_id
    FROM follows
    WHERE workspace_id = $9 AND user_id = $10 AND is_active
    UNION ALL
    SELECT of_group.id
    FROM group_members m
    CROSS JOIN LATERAL (
      SELECT id
      FROM threads
      WHERE workspace_id = $11 AND chat_group_id = m.group_id
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $12 AND group_id = m.group_id
      OFFSET 0
    ) AS of_group
    WHERE m.workspace_id = $13 AND m.user_id = $14 AND NOT m.is_muted
    LIMIT $15
  ) AS gathered
) AS own;

-- Reads follows, muted_threads.
SELECT wanted.value AS id, EXISTS (
  SELECT
  FROM muted_threads
  WHERE workspace_id = $1 AND user_id = $2 AND thread_id = wanted.value
  OFFSET 0
) AS "isMuted", EXISTS (
  SELECT
  FROM follows
  WHERE workspace_id = $3 AND user_id = $4 AND thread_id = wanted.value AND is_active
  OFFSET 0
) AS "isFollowed"
FROM unnest($5::text[]) AS wanted (value);

-- Reads follows, threads, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (SELECT thread_id AS id FROM follows WHERE workspace_id = $2 AND user_id = $3 AND is_active) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM follows
      WHERE workspace_id = $6 AND user_id = $7 AND thread_id = t.id AND is_active
      OFFSET 0
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $8 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $9
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads follows, threads.
SELECT own.total::integer, (
  SELECT count(*)
  FROM (
    SELECT
    FROM threads t
    WHERE t.workspace_id = $1
    LIMIT CASE WHEN own.total > $2 THEN 0 ELSE own.total * own.total / 50 END
  ) AS scanned
)::integer AS others
FROM (
  SELECT count(*) AS total
  FROM (SELECT thread_id AS id FROM follows WHERE workspace_id = $3 AND user_id = $4 AND is_active LIMIT $5)
    AS gathered
) AS own;

-- Reads group_members, mentions, messages, muted_threads, read_floors, reads, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM threads
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM (
        SELECT recent.*
        FROM unnest(
          ARRAY(
            SELECT $6::text
            UNION ALL
            SELECT group_id
            FROM group_members
            WHERE workspace_id = $7 AND user_id = $8 AND NOT is_muted
          )
        ) AS target (id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM mentions
          WHERE workspace_id = $9
            AND target_id = target.id
            AND mentioned_at > (
              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                u.created_at, (
                  SELECT read_floor
                  FROM read_floors
                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                  OFFSET 0
                )
              ) ELSE '-infinity' END
              FROM users u
              WHERE u.workspace_id = $10 AND u.id = $11
              OFFSET 0
            )
          OFFSET 0
        ) AS recent
        UNION
        SELECT in_kept.*
        FROM reads kept
        CROSS JOIN LATERAL (
          SELECT *
          FROM mentions
          WHERE workspace_id = $12
            AND thread_id = kept.thread_id
            AND target_id = ANY (
              ARRAY(
                SELECT $13::text
                UNION ALL
                SELECT group_id
                FROM group_members
                WHERE workspace_id = $14 AND user_id = $15 AND NOT is_muted
              )
            )
          OFFSET 0
        ) AS in_kept
        WHERE kept.workspace_id = $16 AND kept.user_id = $17 AND kept.kept_at IS NOT NULL
      ) AS recent
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $18 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $19
    AND TRUE
    AND (
      t.kind = 'dm'
        OR EXISTS (
          SELECT
          FROM (SELECT) AS one
          LEFT JOIN LATERAL (
            SELECT *
            FROM reads
            WHERE workspace_id = $20 AND user_id = $21 AND thread_id = t.id
            OFFSET 0
          ) AS known ON TRUE
          WHERE (
            SELECT count(DISTINCT m.position)::integer
            FROM mentions x
            CROSS JOIN LATERAL (
              SELECT *
              FROM messages
              WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
              OFFSET 0
            ) AS m
            WHERE x.workspace_id = $22
              AND x.thread_id = t.id
              AND x.target_id = ANY (
                ARRAY(
                  SELECT $23::text
                  UNION ALL
                  SELECT group_id
                  FROM group_members
                  WHERE workspace_id = $24 AND user_id = $25 AND NOT is_muted
                )
              )
              AND (x.position > coalesce(known.read_up_to, 0) OR t.called_at IS NOT NULL)
              AND m.author_id <> $26
              AND m.deleted_at IS NULL
              AND m.allow_mentions
              AND NOT m.is_plain
              AND (
                SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
                  coalesce(known.calls_read_up_to, '-infinity') ELSE m.position >
                  coalesce(known.read_up_to, 0) AND m.created_at > floor OR m.called_at >
                  greatest(known.calls_read_up_to, floor) END
                FROM (
                  SELECT (
                    SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
                      floor, (
                        SELECT joined_at
                        FROM group_members
                        WHERE workspace_id = x.workspace_id AND user_id = $27 AND group_id = x.target_id
                        OFFSET 0
                      )
                    ) END
                    FROM (
                      SELECT (
                        SELECT CASE WHEN u.kind = 'person' THEN greatest(
                          u.created_at, (
                            SELECT read_floor
                            FROM read_floors
                            WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                            OFFSET 0
                          )
                        ) ELSE '-infinity' END
                        FROM users u
                        WHERE u.workspace_id = $28 AND u.id = $29
                        OFFSET 0
                      ) AS floor
                      OFFSET 0
                    ) AS person
                  ) AS floor
                  OFFSET 0
                ) AS of_mention
              )
              AND (
                NOT EXISTS (
                  SELECT
                  FROM muted_threads
                  WHERE workspace_id = t.workspace_id AND user_id = $30 AND thread_id = t.id
                  OFFSET 0
                )
                  OR x.target_id = $31
                  AND EXISTS (
                    SELECT
                    FROM users
                    WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
                    OFFSET 0
                  )
              )
          ) > 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $32 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $33
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads group_members, mentions, messages, muted_threads, read_floors, reads, threads, users.
SELECT t.id, (
  SELECT count(DISTINCT m.position)::integer
  FROM mentions x
  CROSS JOIN LATERAL (
    SELECT *
    FROM messages
    WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
    OFFSET 0
  ) AS m
  WHERE x.workspace_id = $1
    AND x.thread_id = t.id
    AND x.target_id = ANY (
      ARRAY(
        SELECT $2::text
        UNION ALL
        SELECT group_id
        FROM group_members
        WHERE workspace_id = $3 AND user_id = $4 AND NOT is_muted
      )
    )
    AND (x.position > coalesce(known.read_up_to, 0) OR t.called_at IS NOT NULL)
    AND m.author_id <> $5
    AND m.deleted_at IS NULL
    AND m.allow_mentions
    AND NOT m.is_plain
    AND (
      SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
        coalesce(known.calls_read_up_to, '-infinity') ELSE m.position > coalesce(known.read_up_to, 0) AND
        m.created_at > floor OR m.called_at > greatest(known.calls_read_up_to, floor) END
      FROM (
        SELECT (
          SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
            floor, (
              SELECT joined_at
              FROM group_members
              WHERE workspace_id = x.workspace_id AND user_id = $6 AND group_id = x.target_id
              OFFSET 0
            )
          ) END
          FROM (
            SELECT (
              SELECT CASE WHEN u.kind = 'person' THEN greatest(
                u.created_at, (
                  SELECT read_floor
                  FROM read_floors
                  WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                  OFFSET 0
                )
              ) ELSE '-infinity' END
              FROM users u
              WHERE u.workspace_id = $7 AND u.id = $8
              OFFSET 0
            ) AS floor
            OFFSET 0
          ) AS person
        ) AS floor
        OFFSET 0
      ) AS of_mention
    )
    AND (
      NOT EXISTS (
        SELECT
        FROM muted_threads
        WHERE workspace_id = t.workspace_id AND user_id = $9 AND thread_id = t.id
        OFFSET 0
      )
        OR x.target_id = $10
        AND EXISTS (
          SELECT
          FROM users
          WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
          OFFSET 0
        )
    )
) AS count
FROM unnest($11::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $12 AND id = wanted.value OFFSET 0) AS t
LEFT JOIN LATERAL (
  SELECT *
  FROM reads
  WHERE workspace_id = $13 AND user_id = $14 AND thread_id = t.id
  OFFSET 0
) AS known ON TRUE;

-- Reads group_members, mentions, messages, muted_threads, read_floors, reads, users, visible_threads.
SELECT count(*)::integer AS count
FROM (
  SELECT
  FROM (
    WITH x AS MATERIALIZED (
      SELECT recent.*
      FROM unnest(
        ARRAY(
          SELECT $1::text
          UNION ALL
          SELECT group_id
          FROM group_members
          WHERE workspace_id = $2 AND user_id = $3 AND NOT is_muted
        )
      ) AS target (id)
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $4
          AND target_id = target.id
          AND mentioned_at > (
            SELECT CASE WHEN u.kind = 'person' THEN greatest(
              u.created_at, (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                OFFSET 0
              )
            ) ELSE '-infinity' END
            FROM users u
            WHERE u.workspace_id = $5 AND u.id = $6
            OFFSET 0
          )
        OFFSET 0
      ) AS recent
      UNION
      SELECT in_kept.*
      FROM reads kept
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $7
          AND thread_id = kept.thread_id
          AND target_id = ANY (
            ARRAY(
              SELECT $8::text
              UNION ALL
              SELECT group_id
              FROM group_members
              WHERE workspace_id = $9 AND user_id = $10 AND NOT is_muted
            )
          )
        OFFSET 0
      ) AS in_kept
      WHERE kept.workspace_id = $11 AND kept.user_id = $12 AND kept.kept_at IS NOT NULL
    ), of_thread AS MATERIALIZED (
      SELECT t.workspace_id, t.id, known.read_up_to, known.calls_read_up_to, known.kept_at
      FROM (SELECT DISTINCT thread_id FROM x) AS named
      CROSS JOIN LATERAL (
        SELECT *
        FROM visible_threads
        WHERE viewer_id = $13 AND workspace_id = $14 AND id = named.thread_id
        OFFSET 0
      ) AS t
      LEFT JOIN LATERAL (
        SELECT *
        FROM reads
        WHERE workspace_id = $15 AND user_id = $16 AND thread_id = t.id
        OFFSET 0
      ) AS known ON TRUE
    )
    SELECT DISTINCT m.thread_id, m.position
    FROM x
    JOIN of_thread known ON known.id = x.thread_id
    CROSS JOIN LATERAL (SELECT known.workspace_id, known.id OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT *
      FROM messages
      WHERE workspace_id = x.workspace_id AND thread_id = x.thread_id AND position = x.position
      OFFSET 0
    ) AS m
    WHERE m.author_id <> $17
      AND m.deleted_at IS NULL
      AND m.allow_mentions
      AND NOT m.is_plain
      AND (
        SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
          coalesce(known.calls_read_up_to, '-infinity') ELSE m.position > coalesce(known.read_up_to, 0) AND
          m.created_at > floor OR m.called_at > greatest(known.calls_read_up_to, floor) END
        FROM (
          SELECT (
            SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
              floor, (
                SELECT joined_at
                FROM group_members
                WHERE workspace_id = x.workspace_id AND user_id = $18 AND group_id = x.target_id
                OFFSET 0
              )
            ) END
            FROM (
              SELECT (
                SELECT CASE WHEN u.kind = 'person' THEN greatest(
                  u.created_at, (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                    OFFSET 0
                  )
                ) ELSE '-infinity' END
                FROM users u
                WHERE u.workspace_id = $19 AND u.id = $20
                OFFSET 0
              ) AS floor
              OFFSET 0
            ) AS person
          ) AS floor
          OFFSET 0
        ) AS of_mention
      )
      AND (
        NOT EXISTS (
          SELECT
          FROM muted_threads
          WHERE workspace_id = t.workspace_id AND user_id = $21 AND thread_id = t.id
          OFFSET 0
        )
          OR x.target_id = $22
          AND EXISTS (
            SELECT
            FROM users
            WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
            OFFSET 0
          )
      )
  ) AS unread
  LIMIT $23::integer
) AS few;

-- Reads group_members, mentions, messages, muted_threads, read_floors, reads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID",
    x.mentioned_at AS "mentionedAt"
  FROM (
    SELECT DISTINCT ON (thread_id, position) *
    FROM (
      SELECT *
      FROM mentions
      WHERE workspace_id = $2
        AND target_id = ANY (
          ARRAY(
            SELECT $3::text
            UNION ALL
            SELECT group_id
            FROM group_members
            WHERE workspace_id = $4 AND user_id = $5 AND NOT is_muted
          )
        )
    ) AS every
    ORDER BY thread_id, position, target_id <> $6, mentioned_at DESC
  ) AS x
  CROSS JOIN LATERAL (
    SELECT *
    FROM visible_threads
    WHERE viewer_id = $7 AND workspace_id = $8 AND id = x.thread_id
    OFFSET 0
  ) AS t
  LEFT JOIN LATERAL (
    SELECT *
    FROM reads
    WHERE workspace_id = $9 AND user_id = $10 AND thread_id = t.id
    OFFSET 0
  ) AS known ON TRUE
  CROSS JOIN LATERAL (
    SELECT *
    FROM messages
    WHERE workspace_id = $11 AND thread_id = x.thread_id AND position = x.position
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.author_id <> $12
    AND m.deleted_at IS NULL
    AND m.allow_mentions
    AND NOT m.is_plain
    AND (
      (
        SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
          coalesce(known.calls_read_up_to, '-infinity') ELSE m.position > coalesce(known.read_up_to, 0) AND
          m.created_at > floor OR m.called_at > greatest(known.calls_read_up_to, floor) END
        FROM (
          SELECT (
            SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
              floor, (
                SELECT joined_at
                FROM group_members
                WHERE workspace_id = x.workspace_id AND user_id = $13 AND group_id = x.target_id
                OFFSET 0
              )
            ) END
            FROM (
              SELECT (
                SELECT CASE WHEN u.kind = 'person' THEN greatest(
                  u.created_at, (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                    OFFSET 0
                  )
                ) ELSE '-infinity' END
                FROM users u
                WHERE u.workspace_id = $14 AND u.id = $15
                OFFSET 0
              ) AS floor
              OFFSET 0
            ) AS person
          ) AS floor
          OFFSET 0
        ) AS of_mention
      )
        AND (
          NOT EXISTS (
            SELECT
            FROM muted_threads
            WHERE workspace_id = t.workspace_id AND user_id = $16 AND thread_id = t.id
            OFFSET 0
          )
            OR x.target_id = $17
            AND EXISTS (
              SELECT
              FROM users
              WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
              OFFSET 0
            )
        )
    ) IS TRUE = $18::boolean
  ORDER BY x.mentioned_at DESC, m.id DESC
  LIMIT $19
) AS page
ORDER BY parent.number, "mentionedAt" DESC, "id" DESC;

-- Reads group_members, mentions, messages, muted_threads, read_floors, reads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID",
    x.mentioned_at AS "mentionedAt"
  FROM (
    SELECT DISTINCT ON (thread_id, position) *
    FROM (
      SELECT recent.*
      FROM unnest(
        ARRAY(
          SELECT $2::text
          UNION ALL
          SELECT group_id
          FROM group_members
          WHERE workspace_id = $3 AND user_id = $4 AND NOT is_muted
        )
      ) AS target (id)
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $5
          AND target_id = target.id
          AND mentioned_at > (
            SELECT CASE WHEN u.kind = 'person' THEN greatest(
              u.created_at, (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                OFFSET 0
              )
            ) ELSE '-infinity' END
            FROM users u
            WHERE u.workspace_id = $6 AND u.id = $7
            OFFSET 0
          )
        OFFSET 0
      ) AS recent
      UNION
      SELECT in_kept.*
      FROM reads kept
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $8
          AND thread_id = kept.thread_id
          AND target_id = ANY (
            ARRAY(
              SELECT $9::text
              UNION ALL
              SELECT group_id
              FROM group_members
              WHERE workspace_id = $10 AND user_id = $11 AND NOT is_muted
            )
          )
        OFFSET 0
      ) AS in_kept
      WHERE kept.workspace_id = $12 AND kept.user_id = $13 AND kept.kept_at IS NOT NULL
    ) AS every
    ORDER BY thread_id, position, target_id <> $14, mentioned_at DESC
  ) AS x
  CROSS JOIN LATERAL (
    SELECT *
    FROM visible_threads
    WHERE viewer_id = $15 AND workspace_id = $16 AND id = x.thread_id
    OFFSET 0
  ) AS t
  LEFT JOIN LATERAL (
    SELECT *
    FROM reads
    WHERE workspace_id = $17 AND user_id = $18 AND thread_id = t.id
    OFFSET 0
  ) AS known ON TRUE
  CROSS JOIN LATERAL (
    SELECT *
    FROM messages
    WHERE workspace_id = $19 AND thread_id = x.thread_id AND position = x.position
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.author_id <> $20
    AND m.deleted_at IS NULL
    AND m.allow_mentions
    AND NOT m.is_plain
    AND (
      (
        SELECT CASE WHEN known.kept_at > floor THEN m.position > known.read_up_to OR m.called_at >
          coalesce(known.calls_read_up_to, '-infinity') ELSE m.position > coalesce(known.read_up_to, 0) AND
          m.created_at > floor OR m.called_at > greatest(known.calls_read_up_to, floor) END
        FROM (
          SELECT (
            SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(
              floor, (
                SELECT joined_at
                FROM group_members
                WHERE workspace_id = x.workspace_id AND user_id = $21 AND group_id = x.target_id
                OFFSET 0
              )
            ) END
            FROM (
              SELECT (
                SELECT CASE WHEN u.kind = 'person' THEN greatest(
                  u.created_at, (
                    SELECT read_floor
                    FROM read_floors
                    WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                    OFFSET 0
                  )
                ) ELSE '-infinity' END
                FROM users u
                WHERE u.workspace_id = $22 AND u.id = $23
                OFFSET 0
              ) AS floor
              OFFSET 0
            ) AS person
          ) AS floor
          OFFSET 0
        ) AS of_mention
      )
        AND (
          NOT EXISTS (
            SELECT
            FROM muted_threads
            WHERE workspace_id = t.workspace_id AND user_id = $24 AND thread_id = t.id
            OFFSET 0
          )
            OR x.target_id = $25
            AND EXISTS (
              SELECT
              FROM users
              WHERE workspace_id = m.workspace_id AND id = m.author_id AND kind = 'person'
              OFFSET 0
            )
        )
    ) IS TRUE = $26::boolean
  ORDER BY x.mentioned_at DESC, m.id DESC
  LIMIT $27
) AS page
ORDER BY parent.number, "mentionedAt" DESC, "id" DESC;

-- Reads group_members, mentions, messages, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID",
    x.mentioned_at AS "mentionedAt"
  FROM (
    SELECT DISTINCT ON (thread_id, position) *
    FROM (
      SELECT *
      FROM mentions
      WHERE workspace_id = $2
        AND target_id = ANY (
          ARRAY(
            SELECT $3::text
            UNION ALL
            SELECT group_id
            FROM group_members
            WHERE workspace_id = $4 AND user_id = $5 AND NOT is_muted
          )
        )
    ) AS every
    ORDER BY thread_id, position, target_id <> $6, mentioned_at DESC
  ) AS x
  CROSS JOIN LATERAL (
    SELECT *
    FROM visible_threads
    WHERE viewer_id = $7 AND workspace_id = $8 AND id = x.thread_id
    OFFSET 0
  ) AS t
  CROSS JOIN LATERAL (
    SELECT *
    FROM messages
    WHERE workspace_id = $9 AND thread_id = x.thread_id AND position = x.position
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.author_id <> $10
    AND m.deleted_at IS NULL
    AND m.allow_mentions
    AND NOT m.is_plain
    AND (TRUE) IS TRUE = $11::boolean
  ORDER BY x.mentioned_at DESC, m.id DESC
  LIMIT $12
) AS page
ORDER BY parent.number, "mentionedAt" DESC, "id" DESC;

-- Reads group_members, mentions, read_floors, reads, threads, users.
SELECT own.total::integer, (
  SELECT count(*)
  FROM (
    SELECT
    FROM threads t
    WHERE t.workspace_id = $1
    LIMIT CASE WHEN own.total > $2 THEN 0 ELSE own.total * own.total / 50 END
  ) AS scanned
)::integer AS others
FROM (
  SELECT count(*) AS total
  FROM (
    SELECT id
    FROM threads
    WHERE workspace_id = $3 AND dm_low_user_id = $4
    UNION ALL
    SELECT id
    FROM threads
    WHERE workspace_id = $5 AND dm_high_user_id = $6
    UNION ALL
    SELECT thread_id
    FROM (
      SELECT recent.*
      FROM unnest(
        ARRAY(
          SELECT $7::text
          UNION ALL
          SELECT group_id
          FROM group_members
          WHERE workspace_id = $8 AND user_id = $9 AND NOT is_muted
        )
      ) AS target (id)
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $10
          AND target_id = target.id
          AND mentioned_at > (
            SELECT CASE WHEN u.kind = 'person' THEN greatest(
              u.created_at, (
                SELECT read_floor
                FROM read_floors
                WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = ''
                OFFSET 0
              )
            ) ELSE '-infinity' END
            FROM users u
            WHERE u.workspace_id = $11 AND u.id = $12
            OFFSET 0
          )
        OFFSET 0
      ) AS recent
      UNION
      SELECT in_kept.*
      FROM reads kept
      CROSS JOIN LATERAL (
        SELECT *
        FROM mentions
        WHERE workspace_id = $13
          AND thread_id = kept.thread_id
          AND target_id = ANY (
            ARRAY(
              SELECT $14::text
              UNION ALL
              SELECT group_id
              FROM group_members
              WHERE workspace_id = $15 AND user_id = $16 AND NOT is_muted
            )
          )
        OFFSET 0
      ) AS in_kept
      WHERE kept.workspace_id = $17 AND kept.user_id = $18 AND kept.kept_at IS NOT NULL
    ) AS recent
    LIMIT $19
  ) AS gathered
) AS own;

-- Reads managed_webhooks, messages, visible_groups, visible_threads, webhook_calls.
SELECT c.id, c.content
FROM unnest($1::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM webhook_calls WHERE workspace_id = $2 AND id = wanted.id OFFSET 0) AS c
CROSS JOIN LATERAL (
  SELECT h.id, h.creator_id
  FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $3) AS h
  WHERE h.workspace_id = $4 AND h.id = c.webhook_id
  OFFSET 0
) AS h
WHERE c.content IS NOT NULL
  AND c.created_at > now() - interval '24 hours'
  AND CASE WHEN c.thread_ids <> '{}' THEN NOT EXISTS (
    SELECT
    FROM unnest(c.thread_ids) AS written (id)
    WHERE NOT EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $5 AND workspace_id = c.workspace_id AND id = written.id
      OFFSET 0
    )
  ) WHEN c.target_id IS NULL THEN coalesce(h.creator_id = $6, FALSE) ELSE EXISTS (
    SELECT
    FROM visible_groups
    WHERE viewer_id = $7 AND workspace_id = c.workspace_id AND id = c.target_id
    OFFSET 0
  ) OR EXISTS (
    SELECT
    FROM visible_threads
    WHERE viewer_id = $8 AND workspace_id = c.workspace_id AND id = c.target_id
    OFFSET 0
  ) END
  AND NOT EXISTS (
    SELECT
    FROM messages
    WHERE workspace_id = c.workspace_id AND id = ANY(c.message_ids) AND deleted_at IS NOT NULL
    OFFSET 0
  );

-- Reads managed_webhooks, visible_groups, visible_threads, webhook_calls.
SELECT c.workspace_id AS "workspaceID", c.id AS "id", c.webhook_id AS "webhookID",
  c.created_at AS "createdAt", c.method AS "method", c.format AS "format", c.target_id AS "targetID",
  c.status AS "status", c.size_bytes AS "sizeBytes", c.outcome AS "outcome", c.message_ids AS "messageIDs",
  c.thread_ids AS "threadIDs", CASE WHEN c.thread_ids <> '{}' THEN NOT EXISTS (
  SELECT
  FROM unnest(c.thread_ids) AS written (id)
  WHERE NOT EXISTS (
    SELECT
    FROM visible_threads
    WHERE viewer_id = $1 AND workspace_id = c.workspace_id AND id = written.id
    OFFSET 0
  )
) WHEN c.target_id IS NULL THEN coalesce(h.creator_id = $2, FALSE) ELSE EXISTS (
  SELECT
  FROM visible_groups
  WHERE viewer_id = $3 AND workspace_id = c.workspace_id AND id = c.target_id
  OFFSET 0
) OR EXISTS (
  SELECT
  FROM visible_threads
  WHERE viewer_id = $4 AND workspace_id = c.workspace_id AND id = c.target_id
  OFFSET 0
) END AS "isVisible"
FROM unnest($5::text[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT h.id, h.creator_id
  FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $6) AS h
  WHERE h.workspace_id = $7 AND h.id = wanted.id
  OFFSET 0
) AS h
CROSS JOIN LATERAL (
  SELECT *
  FROM webhook_calls
  WHERE workspace_id = $8 AND webhook_id = h.id
  ORDER BY id DESC
  LIMIT $9::integer
) AS c
ORDER BY c.id DESC;

-- Reads managed_webhooks, visible_groups, visible_threads, webhook_calls.
SELECT c.workspace_id AS "workspaceID", c.id AS "id", c.webhook_id AS "webhookID",
  c.created_at AS "createdAt", c.method AS "method", c.format AS "format", c.target_id AS "targetID",
  c.status AS "status", c.size_bytes AS "sizeBytes", c.outcome AS "outcome", c.message_ids AS "messageIDs",
  c.thread_ids AS "threadIDs", CASE WHEN c.thread_ids <> '{}' THEN NOT EXISTS (
  SELECT
  FROM unnest(c.thread_ids) AS written (id)
  WHERE NOT EXISTS (
    SELECT
    FROM visible_threads
    WHERE viewer_id = $1 AND workspace_id = c.workspace_id AND id = written.id
    OFFSET 0
  )
) WHEN c.target_id IS NULL THEN coalesce(h.creator_id = $2, FALSE) ELSE EXISTS (
  SELECT
  FROM visible_groups
  WHERE viewer_id = $3 AND workspace_id = c.workspace_id AND id = c.target_id
  OFFSET 0
) OR EXISTS (
  SELECT
  FROM visible_threads
  WHERE viewer_id = $4 AND workspace_id = c.workspace_id AND id = c.target_id
  OFFSET 0
) END AS "isVisible"
FROM webhook_calls c
CROSS JOIN LATERAL (
  SELECT h.id, h.creator_id
  FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $5) AS h
  WHERE h.workspace_id = c.workspace_id AND h.id = c.webhook_id
  OFFSET 0
) AS h
WHERE c.workspace_id = $6 AND c.id = $7;

-- Reads messages, recipients, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (
      SELECT CAST($2 AS tsquery) && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
      FROM (
        SELECT id, row_number() OVER () / $3 AS part
        FROM (
          SELECT DISTINCT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $4 AND viewer_id = $5) AS seen
        ) AS few
      ) AS numbered
      GROUP BY part
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $6
      OFFSET 0
    ) AS s
    WHERE TRUE
    ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $7 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($8 OR m.attachment_count = 0)
    AND (
      $9
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $10
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $11
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $12 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($13 AS timestamptz(3))
    AND s.created_at < CAST($14 AS timestamptz(3))
    AND (s.created_at, s.position, s.message_id) >
      (CAST($15 AS timestamptz(3)), CAST($16 AS integer), CAST($17 AS text))
  ORDER BY s.created_at ASC, s.position ASC, s.message_id ASC
  LIMIT $18
) AS page
ORDER BY parent.number, "createdAt" ASC, "position" ASC, "id" ASC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (
      SELECT CAST($2 AS tsquery) && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
      FROM (
        SELECT id, row_number() OVER () / $3 AS part
        FROM (
          SELECT DISTINCT id
          FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $4 AND viewer_id = $5) AS seen
        ) AS few
      ) AS numbered
      GROUP BY part
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT *
      FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = $6
      OFFSET 0
    ) AS s
    WHERE TRUE
    ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
    OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $7 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($8 OR m.attachment_count = 0)
    AND (
      $9
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $10
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $11
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $12 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($13 AS timestamptz(3))
    AND s.created_at < CAST($14 AS timestamptz(3))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $15
) AS page
ORDER BY parent.number, "createdAt" DESC, "position" DESC, "id" DESC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($2, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($3 AS tsquery), $4) * $5)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (
            SELECT CAST($6 AS tsquery) && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
            FROM (
              SELECT id, row_number() OVER () / $7 AS part
              FROM (
                SELECT DISTINCT id
                FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $8 AND viewer_id = $9) AS seen
              ) AS few
            ) AS numbered
            GROUP BY part
          ) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $10
            OFFSET 0
          ) AS s
          WHERE TRUE
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $11 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($12 OR m.attachment_count = 0)
          AND (
            $13
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $14
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $15
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $16 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($17 AS timestamptz(3))
          AND s.created_at < CAST($18 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($19, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $20
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $21
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
      AND (s.rank, s.created_at, s.position, s.message_id, s.until) > (
        CAST($22 AS integer), CAST($23 AS timestamptz(3)), CAST($24 AS integer), CAST($25 AS text),
          CAST($26 AS timestamptz(3))
      )
    ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
    LIMIT $27
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $28 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
    AND (s.rank, s.created_at, s.position, s.message_id, s.until) > (
      CAST($29 AS integer), CAST($30 AS timestamptz(3)), CAST($31 AS integer), CAST($32 AS text),
        CAST($33 AS timestamptz(3))
    )
  ORDER BY s.rank ASC, s.created_at ASC, s.position ASC, s.message_id ASC, s.until ASC
  LIMIT $34
) AS page
ORDER BY parent.number, "key0" ASC, "createdAt" ASC, "position" ASC, "id" ASC, "key4" ASC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_thread_ids, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($2, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($3 AS tsquery), $4) * $5)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (
            SELECT CAST($6 AS tsquery) && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
            FROM (
              SELECT id, row_number() OVER () / $7 AS part
              FROM (
                SELECT DISTINCT id
                FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $8 AND viewer_id = $9) AS seen
              ) AS few
            ) AS numbered
            GROUP BY part
          ) AS asked
          CROSS JOIN LATERAL (
            SELECT *
            FROM searchable_messages
            WHERE words @@ asked.query AND workspace_id || '' = $10
            OFFSET 0
          ) AS s
          WHERE TRUE
          ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
          OFFSET 0
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $11 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($12 OR m.attachment_count = 0)
          AND (
            $13
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $14
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $15
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $16 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($17 AS timestamptz(3))
          AND s.created_at < CAST($18 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($19, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $20
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $21
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $22
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $23 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $24
) AS page
ORDER BY parent.number, "key0" DESC, "createdAt" DESC, "position" DESC, "id" DESC, "key4" DESC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (
      SELECT *
      FROM searchable_messages s
      WHERE s.workspace_id = $2
        AND s.created_at > CAST($3 AS timestamptz(3))
        AND s.created_at < CAST($4 AS timestamptz(3))
        AND (s.created_at, s.position, s.message_id) <
          (CAST($5 AS timestamptz(3)), CAST($6 AS integer), CAST($7 AS text))
      ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
      LIMIT $8
    ) AS s
    WHERE s.words @@ CAST($9 AS tsquery)
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $10 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($11 OR m.attachment_count = 0)
    AND (
      $12
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $13
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $14
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $15 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($16 AS timestamptz(3))
    AND s.created_at < CAST($17 AS timestamptz(3))
    AND (s.created_at, s.position, s.message_id) <
      (CAST($18 AS timestamptz(3)), CAST($19 AS integer), CAST($20 AS text))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $21
) AS page
ORDER BY parent.number, "createdAt" DESC, "position" DESC, "id" DESC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject
  FROM (
    SELECT s.created_at, s.position, s.message_id, s.edited_at
    FROM (
      SELECT *
      FROM searchable_messages s
      WHERE s.workspace_id = $2
        AND s.created_at > CAST($3 AS timestamptz(3))
        AND s.created_at < CAST($4 AS timestamptz(3))
      ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
      LIMIT $5
    ) AS s
    WHERE s.words @@ CAST($6 AS tsquery)
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $7 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.deleted_at IS NULL
    AND m.text <> ''
    AND m.edited_at IS NOT DISTINCT FROM s.edited_at
    AND ($8 OR m.attachment_count = 0)
    AND (
      $9
        OR EXISTS (
          SELECT
          FROM recipients r
          WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $10
          OFFSET 0
        )
        OR EXISTS (
          SELECT
          FROM threads t
          WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $11
          OFFSET 0
        )
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $12 AND workspace_id = m.workspace_id AND id = m.thread_id
      OFFSET 0
    )
    AND s.created_at > CAST($13 AS timestamptz(3))
    AND s.created_at < CAST($14 AS timestamptz(3))
  ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
  LIMIT $15
) AS page
ORDER BY parent.number, "createdAt" DESC, "position" DESC, "id" DESC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($2, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($3 AS tsquery), $4) * $5)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (
            SELECT *
            FROM searchable_messages s
            WHERE s.workspace_id = $6
              AND s.created_at > CAST($7 AS timestamptz(3))
              AND s.created_at < CAST($8 AS timestamptz(3))
              AND s.created_at <= CAST(coalesce($9, now()) AS timestamptz(3))
            ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
            LIMIT $10
          ) AS s
          WHERE s.words @@ CAST($11 AS tsquery)
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $12 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($13 OR m.attachment_count = 0)
          AND (
            $14
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $15
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $16
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $17 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($18 AS timestamptz(3))
          AND s.created_at < CAST($19 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($20, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $21
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $22
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
      AND (s.rank, s.created_at, s.position, s.message_id, s.until) < (
        CAST($23 AS integer), CAST($24 AS timestamptz(3)), CAST($25 AS integer), CAST($26 AS text),
          CAST($27 AS timestamptz(3))
      )
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $28
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $29 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
    AND (s.rank, s.created_at, s.position, s.message_id, s.until) < (
      CAST($30 AS integer), CAST($31 AS timestamptz(3)), CAST($32 AS integer), CAST($33 AS text),
        CAST($34 AS timestamptz(3))
    )
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $35
) AS page
ORDER BY parent.number, "key0" DESC, "createdAt" DESC, "position" DESC, "id" DESC, "key4" DESC;

-- Reads messages, recipients, searchable_messages, threads, users, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID", CASE WHEN
    m.position = 1 THEN (SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id)
    END AS subject, s.candidates::integer, s.rank AS "key0", s.until AS "key4"
  FROM (
    SELECT *
    FROM (
      SELECT s.created_at, s.position, s.message_id, CAST(coalesce($2, now()) AS timestamptz(3)) AS until,
        (ts_rank_cd(document.words, CAST($3 AS tsquery), $4) * $5)::integer AS rank,
        count(*) OVER () AS candidates
      FROM (
        SELECT s.created_at, s.position, s.message_id
        FROM (
          SELECT s.created_at, s.position, s.message_id, s.edited_at
          FROM (
            SELECT *
            FROM searchable_messages s
            WHERE s.workspace_id = $6
              AND s.created_at > CAST($7 AS timestamptz(3))
              AND s.created_at < CAST($8 AS timestamptz(3))
              AND s.created_at <= CAST(coalesce($9, now()) AS timestamptz(3))
            ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
            LIMIT $10
          ) AS s
          WHERE s.words @@ CAST($11 AS tsquery)
        ) AS s
        CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $12 AND id = s.message_id OFFSET 0) AS
          m
        WHERE m.deleted_at IS NULL
          AND m.text <> ''
          AND m.edited_at IS NOT DISTINCT FROM s.edited_at
          AND ($13 OR m.attachment_count = 0)
          AND (
            $14
              OR EXISTS (
                SELECT
                FROM recipients r
                WHERE r.workspace_id = m.workspace_id AND r.thread_id = m.thread_id AND r.recipient_id = $15
                OFFSET 0
              )
              OR EXISTS (
                SELECT
                FROM threads t
                WHERE t.workspace_id = m.workspace_id AND t.id = m.thread_id AND t.chat_group_id = $16
                OFFSET 0
              )
          )
          AND EXISTS (
            SELECT
            FROM visible_threads
            WHERE viewer_id = $17 AND workspace_id = m.workspace_id AND id = m.thread_id
            OFFSET 0
          )
          AND s.created_at > CAST($18 AS timestamptz(3))
          AND s.created_at < CAST($19 AS timestamptz(3))
          AND s.created_at <= CAST(coalesce($20, now()) AS timestamptz(3))
        ORDER BY s.created_at DESC, s.position DESC, s.message_id DESC
        LIMIT $21
      ) AS s
      CROSS JOIN LATERAL (
        SELECT words
        FROM searchable_messages
        WHERE workspace_id = $22
          AND created_at = s.created_at
          AND position = s.position
          AND message_id = s.message_id
        OFFSET 0
      ) AS document
    ) AS s
    WHERE TRUE
    ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
    LIMIT $23
  ) AS s
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $24 AND id = s.message_id OFFSET 0) AS m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE TRUE
  ORDER BY s.rank DESC, s.created_at DESC, s.position DESC, s.message_id DESC, s.until DESC
  LIMIT $25
) AS page
ORDER BY parent.number, "key0" DESC, "createdAt" DESC, "position" DESC, "id" DESC, "key4" DESC;

-- Reads messages, threads, users.
SELECT wanted.thread_id || ' ' || wanted.message_id || ' ' || wanted.size AS "pageKey", page.start,
  t.last_position AS "lastPosition", m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID",
  m.position AS "position", m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
  m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
  m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
  m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
  m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
  m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
  author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
  author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
  author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
  author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
FROM unnest($1::text[], $2::text[], $3::integer[]) AS wanted (thread_id, message_id, size)
CROSS JOIN LATERAL (
  SELECT position, thread_id
  FROM messages
  WHERE workspace_id = $4 AND id = wanted.message_id
  OFFSET 0
) AS middle
CROSS JOIN LATERAL (
  SELECT last_position
  FROM threads
  WHERE workspace_id = $5 AND id = wanted.thread_id
  OFFSET 0
) AS t
CROSS JOIN LATERAL (
  SELECT greatest(1, least(middle.position - wanted.size / 2, t.last_position - wanted.size + 1)) AS start
) AS page
CROSS JOIN LATERAL (
  SELECT *
  FROM messages
  WHERE workspace_id = $6
    AND thread_id = wanted.thread_id
    AND position >= page.start
    AND position < page.start + wanted.size
  OFFSET 0
) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS
  author
WHERE middle.thread_id = wanted.thread_id
ORDER BY m.position;

-- Reads messages, threads.
SELECT id
FROM messages
WHERE workspace_id = $1
  AND author_id = $2
  AND unique_by = $3
  AND thread_id = (
    SELECT id
    FROM threads
    WHERE workspace_id = $4 AND started_by_id = $5 AND thread_by_target = $6 AND thread_by = $7
  );

-- Reads messages, threads.
SELECT id
FROM messages
WHERE workspace_id = $1
  AND author_id = $2
  AND unique_by = $3
  AND thread_id = (SELECT id FROM threads WHERE workspace_id = $4 AND chat_group_id = $5);

-- Reads messages, users, visible_threads.
SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
  m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
  m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
  m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
  m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
  m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
  m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
  author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
  author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
  author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
  author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS
  author
WHERE EXISTS (
  SELECT
  FROM visible_threads
  WHERE viewer_id = $3 AND workspace_id = m.workspace_id AND id = m.thread_id
  OFFSET 0
);

-- Reads messages, users.
SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
  m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
  m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
  m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
  m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
  m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
  m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
  author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
  author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
  author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
  author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM messages WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS
  author;

-- Reads messages, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
  FROM messages m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.workspace_id = $2 AND m.thread_id = parent.id
  ORDER BY m.position ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "position" ASC;

-- Reads messages, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
  FROM messages m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.workspace_id = $2 AND m.thread_id = parent.id
  ORDER BY m.position DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "position" DESC;

-- Reads messages, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
  FROM messages m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.workspace_id = $2 AND m.thread_id = parent.id AND (m.position) < (CAST($3 AS integer))
  ORDER BY m.position DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "position" DESC;

-- Reads messages, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
  FROM messages m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.workspace_id = $2 AND m.thread_id = parent.id AND (m.position) > (CAST($3 AS integer))
  ORDER BY m.position ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "position" ASC;

-- Reads messages, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT m.workspace_id AS "workspaceID", m.id AS "id", m.thread_id AS "threadID", m.position AS "position",
    m.author_id AS "authorID", m.text AS "text", m.unique_by AS "uniqueBy",
    m.attachment_count AS "attachmentCount", m.event AS "event", m.created_at AS "createdAt",
    m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version", m.state AS "state",
    m.sender_name AS "senderName", m.allow_mentions AS "allowMentions", m.is_plain AS "isPlain",
    m.is_silent AS "isSilent", m.called_at AS "calledAt", m.deleted_unique_by AS "deletedUniqueBy",
    m.origin_id AS "originID", m.buttons AS "buttons", m.buttons_revision AS "buttonsRevision",
    author.workspace_id AS "authorWorkspaceID", author.id AS "authorId", author.kind AS "authorKind",
    author.name AS "authorName", author.email AS "authorEmail", author.account_id AS "authorAccountID",
    author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
    author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
  FROM messages m
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0)
    AS author
  WHERE m.workspace_id = $2 AND m.thread_id = parent.id
  ORDER BY m.position DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "position" DESC;

-- Reads messages, users.
SELECT wanted.thread_id || ' ' || wanted.position AS "positionKey", m.workspace_id AS "workspaceID",
  m.id AS "id", m.thread_id AS "threadID", m.position AS "position", m.author_id AS "authorID",
  m.text AS "text", m.unique_by AS "uniqueBy", m.attachment_count AS "attachmentCount", m.event AS "event",
  m.created_at AS "createdAt", m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version",
  m.state AS "state", m.sender_name AS "senderName", m.allow_mentions AS "allowMentions",
  m.is_plain AS "isPlain", m.is_silent AS "isSilent", m.called_at AS "calledAt",
  m.deleted_unique_by AS "deletedUniqueBy", m.origin_id AS "originID", m.buttons AS "buttons",
  m.buttons_revision AS "buttonsRevision", author.workspace_id AS "authorWorkspaceID",
  author.id AS "authorId", author.kind AS "authorKind", author.name AS "authorName",
  author.email AS "authorEmail", author.account_id AS "authorAccountID",
  author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
  author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
FROM unnest($1::text[], $2::integer[]) AS wanted (thread_id, position)
CROSS JOIN LATERAL (
  SELECT *
  FROM messages
  WHERE workspace_id = $3
    AND thread_id = wanted.thread_id
    AND position > wanted.position
    AND author_id <> $4
    AND event IS NULL
    AND deleted_at IS NULL
  ORDER BY position
  LIMIT 1
  OFFSET 0
) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS
  author;

-- Reads messages, users.
SELECT wanted.thread_id || ' ' || wanted.position AS "positionKey", m.workspace_id AS "workspaceID",
  m.id AS "id", m.thread_id AS "threadID", m.position AS "position", m.author_id AS "authorID",
  m.text AS "text", m.unique_by AS "uniqueBy", m.attachment_count AS "attachmentCount", m.event AS "event",
  m.created_at AS "createdAt", m.edited_at AS "editedAt", m.deleted_at AS "deletedAt", m.version AS "version",
  m.state AS "state", m.sender_name AS "senderName", m.allow_mentions AS "allowMentions",
  m.is_plain AS "isPlain", m.is_silent AS "isSilent", m.called_at AS "calledAt",
  m.deleted_unique_by AS "deletedUniqueBy", m.origin_id AS "originID", m.buttons AS "buttons",
  m.buttons_revision AS "buttonsRevision", author.workspace_id AS "authorWorkspaceID",
  author.id AS "authorId", author.kind AS "authorKind", author.name AS "authorName",
  author.email AS "authorEmail", author.account_id AS "authorAccountID",
  author.created_at AS "authorCreatedAt", author.deleted_at AS "authorDeletedAt",
  author.restored_at AS "authorRestoredAt", author.avatar_file_id AS "authorAvatarFileID"
FROM unnest($1::text[], $2::integer[]) AS wanted (thread_id, position)
CROSS JOIN LATERAL (
  SELECT *
  FROM messages
  WHERE workspace_id = $3 AND thread_id = wanted.thread_id AND position = wanted.position
  OFFSET 0
) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = m.workspace_id AND id = m.author_id OFFSET 0) AS
  author;

-- Reads messages.
SELECT author_id AS "authorID", event IS NOT NULL AS "isSystemMessage", deleted_at AS "deletedAt", version,
  state
FROM messages
WHERE workspace_id = $1 AND id = $2
FOR UPDATE;

-- Reads messages.
SELECT id
FROM messages
WHERE workspace_id = $1 AND author_id = $2 AND id = $3;

-- Reads messages.
SELECT id
FROM messages
WHERE workspace_id = $1 AND author_id = $2 AND unique_by = $3 AND thread_id = $4;

-- Reads muted_threads, threads, visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion", t.activity_period AS "key0"
  FROM (
    SELECT DISTINCT id
    FROM (SELECT thread_id AS id FROM muted_threads WHERE workspace_id = $2 AND user_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM muted_threads
      WHERE workspace_id = t.workspace_id AND user_id = $6 AND thread_id = t.id
      OFFSET 0
    )
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $8
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads muted_threads, threads.
SELECT own.total::integer, (
  SELECT count(*)
  FROM (
    SELECT
    FROM threads t
    WHERE t.workspace_id = $1
    LIMIT CASE WHEN own.total > $2 THEN 0 ELSE own.total * own.total / 50 END
  ) AS scanned
)::integer AS others
FROM (
  SELECT count(*) AS total
  FROM (SELECT thread_id AS id FROM muted_threads WHERE workspace_id = $3 AND user_id = $4 LIMIT $5) AS
    gathered
) AS own;

-- Reads pins.
SELECT pinned_id AS id
FROM pins
WHERE workspace_id = $1 AND user_id = $2
ORDER BY place;

-- Reads pins.
SELECT pinned_id AS id
FROM pins
WHERE workspace_id = $1 AND user_id = $2 AND pinned_id = ANY ($3::text[]);

-- Reads reactions, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", r.number AS "key0"
  FROM (
    SELECT user_id, number
    FROM reactions
    WHERE workspace_id = $2
      AND message_id = split_part(parent.id, ' ', 1)
      AND emoji = split_part(parent.id, ' ', 2)
  ) AS r
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $3 AND id = r.user_id OFFSET 0) AS u
  WHERE TRUE
  ORDER BY r.number ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads reactions, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", r.number AS "key0"
  FROM (
    SELECT user_id, number
    FROM reactions
    WHERE workspace_id = $2
      AND message_id = split_part(parent.id, ' ', 1)
      AND emoji = split_part(parent.id, ' ', 2)
  ) AS r
  CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $3 AND id = r.user_id OFFSET 0) AS u
  WHERE TRUE
  ORDER BY r.number ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads reactions.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id, g.emoji, g.count, g.own AS "viewerHasReacted",
    g.first AS "key0"
  FROM (
    SELECT r.workspace_id, r.message_id || ' ' || r.emoji AS id, r.emoji, count(*)::integer AS count,
      min(r.number) AS first, bool_or(r.user_id = $2) AS own
    FROM reactions r
    WHERE r.workspace_id = $3 AND r.message_id = parent.id
    GROUP BY r.workspace_id, r.message_id, r.emoji
  ) AS g
  WHERE TRUE
  ORDER BY g.first ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads reactions.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id, g.emoji, g.count, g.own AS "viewerHasReacted",
    g.first AS "key0"
  FROM (
    SELECT r.workspace_id, r.message_id || ' ' || r.emoji AS id, r.emoji, count(*)::integer AS count,
      min(r.number) AS first, bool_or(r.user_id = $2) AS own
    FROM reactions r
    WHERE r.workspace_id = $3 AND r.message_id = parent.id
    GROUP BY r.workspace_id, r.message_id, r.emoji
  ) AS g
  WHERE TRUE
  ORDER BY g.first ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "key0" ASC;

-- Reads visible_files.
SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
  f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
  f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM visible_files
  WHERE workspace_id = $2 AND id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS f;

-- Updates contents, files, workspace_storage. Deletes from files. Reads apps, attachments, contents, users, workspace_storage.
WITH due AS MATERIALIZED (
  SELECT d.workspace_id, d.id, (
    EXISTS (SELECT FROM attachments a WHERE a.workspace_id = d.workspace_id AND a.file_id = d.id OFFSET 0)
      OR (
        EXISTS (SELECT FROM users WHERE workspace_id = d.workspace_id AND avatar_file_id = d.id OFFSET 0)
          OR EXISTS (SELECT FROM apps WHERE workspace_id = d.workspace_id AND avatar_file_id = d.id OFFSET 0)
      )
  ) AS is_in_use
  FROM unnest($1::text[], $2::text[]) AS d (workspace_id, id)
), kept AS (
  UPDATE files f
  SET sweep_at = now() + make_interval(days => $3::integer)
  FROM due
  WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND due.is_in_use
), deleted AS (
  DELETE FROM files f USING due
  WHERE f.workspace_id = due.workspace_id AND f.id = due.id AND NOT due.is_in_use
  RETURNING f.sha256, f.workspace_id, f.size_bytes
), freed AS MATERIALIZED (
  SELECT g.workspace_id, g.bytes
  FROM (
    SELECT workspace_id, sum(size_bytes)::bigint AS bytes
    FROM deleted
    GROUP BY workspace_id
    ORDER BY workspace_id
  ) AS g
  CROSS JOIN LATERAL (SELECT FROM workspace_storage WHERE workspace_id = g.workspace_id FOR NO KEY UPDATE) AS
    s
), counted AS (
  UPDATE workspace_storage s
  SET used_bytes = s.used_bytes - (SELECT bytes FROM freed g WHERE g.workspace_id = s.workspace_id)
  WHERE s.workspace_id = ANY (ARRAY(SELECT workspace_id FROM freed))
), to_check AS MATERIALIZED (
  SELECT c.sha256
  FROM (SELECT DISTINCT sha256 FROM deleted ORDER BY sha256) AS d
  CROSS JOIN LATERAL (SELECT sha256 FROM contents WHERE sha256 = d.sha256 FOR NO KEY UPDATE) AS c
)
UPDATE contents c
SET sweep_at = greatest(c.sweep_at, now())
FROM to_check
WHERE c.sha256 = to_check.sha256;

-- Updates follows.
UPDATE follows
SET is_active = FALSE
WHERE workspace_id = $1 AND user_id = $2 AND thread_id = $3;

-- Updates pins. Deletes from pins.
WITH removed AS (DELETE FROM pins WHERE workspace_id = $1 AND user_id = $2 AND pinned_id = $3 RETURNING place)
UPDATE pins
SET place = pins.place - 1
FROM removed
WHERE workspace_id = $4 AND user_id = $5 AND pins.place > removed.place;

-- Updates pins. Reads pins.
UPDATE pins
SET place = ordered.place
FROM (
  SELECT pinned_id AS id, row_number() OVER (ORDER BY array_position($1::text[], pinned_id), place) AS place
  FROM pins
  WHERE workspace_id = $2 AND user_id = $3
) AS ordered
WHERE workspace_id = $4 AND user_id = $5 AND pinned_id = ordered.id AND pins.place <> ordered.place;

-- Updates read_floors, reads. Reads read_floors.
WITH floor AS MATERIALIZED (
  SELECT undo
  FROM read_floors
  WHERE workspace_id = $1 AND user_id = $2 AND group_id = $3 AND undo IS NOT NULL
  FOR UPDATE
), restored AS (
  UPDATE reads r
  SET read_up_to = before.read_up_to, own_read = before.own_read, calls_read_up_to = before.calls_read_up_to,
    kept_at = before.kept_at, is_marked = FALSE
  FROM floor
  CROSS JOIN LATERAL jsonb_to_recordset(undo -> 'rows') AS before (
    thread_id text, read_up_to integer, own_read integer, calls_read_up_to timestamptz(3),
      kept_at timestamptz(3)
  )
  WHERE r.workspace_id = $4 AND r.user_id = $5 AND r.thread_id = before.thread_id AND r.is_marked
)
UPDATE read_floors
SET read_floor = coalesce((floor.undo ->> 'floor')::timestamptz, '-infinity'), undo = NULL
FROM floor
WHERE workspace_id = $6 AND user_id = $7 AND group_id = $8;

-- Updates read_floors.
UPDATE read_floors
SET undo = NULL
WHERE workspace_id = $1 AND user_id = $2 AND undo IS NOT NULL;

-- Updates webhook_calls. Reads webhook_calls.
UPDATE webhook_calls
SET content = NULL
WHERE ctid = ANY(
  ARRAY(
    SELECT ctid
    FROM webhook_calls
    WHERE content IS NOT NULL AND created_at < now() - interval '24 hours'
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
  )
);
