-- Deletes from recipients.
DELETE FROM "public"."recipients"
WHERE (
  "public"."recipients"."workspace_id" = $1
    AND "public"."recipients"."thread_id" = $2
    AND "public"."recipients"."recipient_id" IN ($3)
);

-- Inserts into event_notes, threads.
WITH created AS (
  INSERT INTO threads (workspace_id, id, kind, chat_group_id, dm_low_user_id, dm_high_user_id)
  SELECT $1, chat.*
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS chat
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, id
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (SELECT workspace_id, 'thread.created', id, id FROM created) AS event
    (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT
FROM created;

-- Inserts into recipients.
INSERT INTO "public"."recipients" ("workspace_id", "thread_id", "user_id", "group_id")
VALUES ($1, $2, $3, $4);

-- Reads group_admins, group_members, recipients, threads, users, visible_threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion", (
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
        WHERE workspace_id = t.workspace_id AND group_id = named.id AND user_id = $1
        OFFSET 0
      ) AS own
    )
) AS "isAdmin", (
  EXISTS (
    SELECT
    FROM users
    WHERE workspace_id = t.workspace_id AND id = t.started_by_id AND kind IN ('app', 'webhook')
    OFFSET 0
  )
    AND EXISTS (SELECT FROM users WHERE workspace_id = t.workspace_id AND id = $2 AND kind = 'app' OFFSET 0)
    AND EXISTS (
      SELECT
      FROM recipients r
      WHERE r.workspace_id = t.workspace_id
        AND r.thread_id = t.id
        AND (
          r.user_id = $3
            OR EXISTS (
              SELECT
              FROM group_members
              WHERE workspace_id = r.workspace_id AND group_id = r.group_id AND user_id = $4
              OFFSET 0
            )
        )
      OFFSET 0
    )
) AS "isClosableByApp"
FROM threads t
WHERE t.workspace_id = $5
  AND t.id = $6
  AND EXISTS (
    SELECT
    FROM visible_threads
    WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
    OFFSET 0
  )
FOR NO KEY UPDATE;

-- Reads recipients, threads, users, visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT r.recipient_id AS id, r.user_id IS NOT NULL AS "isUser", u.workspace_id AS "userWorkspaceID",
    u.id AS "userId", u.kind AS "userKind", u.name AS "userName", u.email AS "userEmail",
    u.account_id AS "userAccountID", u.created_at AS "userCreatedAt", u.deleted_at AS "userDeletedAt",
    u.restored_at AS "userRestoredAt", u.avatar_file_id AS "userAvatarFileID",
    g.workspace_id AS "groupWorkspaceID", g.id AS "groupId", g.name AS "groupName",
    g.description AS "groupDescription", g.is_private AS "groupIsPrivate", g.created_at AS "groupCreatedAt"
  FROM (
    SELECT recipient_id, user_id, group_id
    FROM recipients
    WHERE workspace_id = $2 AND thread_id = parent.id
    UNION ALL
    SELECT chats.chat_group_id, NULL, chats.chat_group_id
    FROM threads chats
    WHERE chats.workspace_id = $3 AND chats.id = parent.id AND chats.kind = 'group_chat'
    UNION ALL
    SELECT pair.user_id, pair.user_id, NULL
    FROM threads dms
    CROSS JOIN LATERAL (VALUES (dms.dm_low_user_id), (dms.dm_high_user_id)) AS pair (user_id)
    WHERE dms.workspace_id = $4 AND dms.id = parent.id AND dms.kind = 'dm'
  ) AS r
  LEFT JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $5 AND id = r.user_id OFFSET 0) AS u ON TRUE
  LEFT JOIN LATERAL (
    SELECT *
    FROM visible_groups
    WHERE viewer_id = $6 AND workspace_id = $7 AND id = r.group_id
    OFFSET 0
  ) AS g ON TRUE
  WHERE (r.group_id IS NULL OR g.id IS NOT NULL)
  ORDER BY r.recipient_id ASC
  LIMIT $8
) AS page
ORDER BY parent.number, "id" ASC;

-- Reads recipients, threads, users, visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT r.recipient_id AS id, r.user_id IS NOT NULL AS "isUser", u.workspace_id AS "userWorkspaceID",
    u.id AS "userId", u.kind AS "userKind", u.name AS "userName", u.email AS "userEmail",
    u.account_id AS "userAccountID", u.created_at AS "userCreatedAt", u.deleted_at AS "userDeletedAt",
    u.restored_at AS "userRestoredAt", u.avatar_file_id AS "userAvatarFileID",
    g.workspace_id AS "groupWorkspaceID", g.id AS "groupId", g.name AS "groupName",
    g.description AS "groupDescription", g.is_private AS "groupIsPrivate", g.created_at AS "groupCreatedAt"
  FROM (
    SELECT recipient_id, user_id, group_id
    FROM recipients
    WHERE workspace_id = $2 AND thread_id = parent.id
    UNION ALL
    SELECT chats.chat_group_id, NULL, chats.chat_group_id
    FROM threads chats
    WHERE chats.workspace_id = $3 AND chats.id = parent.id AND chats.kind = 'group_chat'
    UNION ALL
    SELECT pair.user_id, pair.user_id, NULL
    FROM threads dms
    CROSS JOIN LATERAL (VALUES (dms.dm_low_user_id), (dms.dm_high_user_id)) AS pair (user_id)
    WHERE dms.workspace_id = $4 AND dms.id = parent.id AND dms.kind = 'dm'
  ) AS r
  LEFT JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $5 AND id = r.user_id OFFSET 0) AS u ON TRUE
  LEFT JOIN LATERAL (
    SELECT *
    FROM visible_groups
    WHERE viewer_id = $6 AND workspace_id = $7 AND id = r.group_id
    OFFSET 0
  ) AS g ON TRUE
  WHERE (r.group_id IS NULL OR g.id IS NOT NULL)
  ORDER BY r.recipient_id ASC
  LIMIT $8
) AS page
ORDER BY parent.number, "id" ASC;

-- Reads recipients, threads, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $10 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $11
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads recipients, threads, visible_threads.
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
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $6 AND user_id = $7
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $8 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $9
    AND TRUE
    AND (
      t.dm_low_user_id = $10
        OR t.dm_high_user_id = $11
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $12
          OFFSET 0
        )
    )
    AND (t.closed_at IS NOT NULL) = $13
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $14 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $15
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads recipients, threads, visible_threads.
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
      WHERE workspace_id = $2 AND dm_low_user_id = $3
      UNION ALL
      SELECT id
      FROM threads
      WHERE workspace_id = $4 AND dm_high_user_id = $5
      UNION ALL
      SELECT thread_id
      FROM recipients
      WHERE workspace_id = $6 AND user_id = $7
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $8 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $9
    AND TRUE
    AND (
      t.dm_low_user_id = $10
        OR t.dm_high_user_id = $11
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $12
          OFFSET 0
        )
    )
    AND strpos(t.folded_subject, $13) > 0
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $14 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $15
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads recipients, threads, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $10 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $11
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads recipients, threads, visible_threads.
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
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $8 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $9
    AND TRUE
    AND (
      t.dm_low_user_id = $10
        OR t.dm_high_user_id = $11
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $12
          OFFSET 0
        )
    )
    AND (t.closed_at IS NOT NULL) = $13
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $14 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $15
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads recipients, threads, visible_threads.
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
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $8 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $9
    AND TRUE
    AND (
      t.dm_low_user_id = $10
        OR t.dm_high_user_id = $11
        OR EXISTS (
          SELECT
          FROM recipients named
          WHERE named.workspace_id = t.workspace_id AND named.thread_id = t.id AND named.recipient_id = $12
          OFFSET 0
        )
    )
    AND strpos(t.folded_subject, $13) > 0
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $14 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $15
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads recipients, threads.
SELECT addressed.id
FROM (
  SELECT id
  FROM threads
  WHERE workspace_id = $1 AND chat_group_id = $2
  UNION ALL
  SELECT thread_id
  FROM recipients
  WHERE workspace_id = $3 AND group_id = $4
) AS addressed (id)
WHERE addressed.id = ANY ($5::text[]);

-- Reads recipients, threads.
SELECT count(*)::integer AS threads, coalesce(sum(t.last_position), 0)::float8 AS messages
FROM (
  SELECT id
  FROM (
    SELECT id
    FROM threads
    WHERE workspace_id = $1 AND chat_group_id = $2
    UNION ALL
    SELECT thread_id
    FROM recipients
    WHERE workspace_id = $3 AND group_id = $4
  ) AS own
  LIMIT $5
) AS seen
CROSS JOIN LATERAL (SELECT last_position FROM threads WHERE workspace_id = $6 AND id = seen.id OFFSET 0) AS t;

-- Reads recipients, threads.
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
    WHERE workspace_id = $3 AND chat_group_id = $4
    UNION ALL
    SELECT thread_id
    FROM recipients
    WHERE workspace_id = $5 AND group_id = $6
    LIMIT $7
  ) AS gathered
) AS own;

-- Reads recipients, threads.
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
    LIMIT $9
  ) AS gathered
) AS own;

-- Reads recipients, visible_groups.
SELECT r.recipient_id AS id
FROM recipients r
WHERE r.workspace_id = $1
  AND r.thread_id = $2
  AND (
    r.group_id IS NULL
      OR EXISTS (
        SELECT
        FROM visible_groups
        WHERE viewer_id = $3 AND workspace_id = r.workspace_id AND id = r.group_id
        OFFSET 0
      )
  )
ORDER BY 1;

-- Reads recipients, visible_threads.
SELECT t.id
FROM visible_threads t
WHERE t.viewer_id = $1
  AND t.workspace_id = $2
  AND t.id = $3
  AND (
    t.chat_group_id = ANY($4::text[])
      OR EXISTS (
        SELECT
        FROM recipients r
        WHERE r.workspace_id = $5 AND r.thread_id = $6 AND r.group_id = ANY($7::text[])
        OFFSET 0
      )
  );

-- Reads recipients.
SELECT "public"."recipients"."workspace_id", "public"."recipients"."thread_id",
  "public"."recipients"."recipient_id"
FROM "public"."recipients"
WHERE (
  "public"."recipients"."workspace_id" = $1
    AND "public"."recipients"."thread_id" = $2
    AND "public"."recipients"."recipient_id" IN ($3)
)
OFFSET $4;

-- Reads recipients.
SELECT "public"."recipients"."workspace_id", "public"."recipients"."thread_id",
  "public"."recipients"."recipient_id", "public"."recipients"."user_id", "public"."recipients"."group_id"
FROM "public"."recipients"
WHERE ("public"."recipients"."workspace_id" = $1 AND "public"."recipients"."thread_id" = $2)
LIMIT $3
OFFSET $4;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_thread_ids
      WHERE workspace_id = $2 AND viewer_id = $3 AND found_as = 'group chat'
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.kind = $6
    AND t.last_activity_at > CAST($7 AS timestamptz(3))
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $8 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $9
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
    FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3 AND found_as = 'dm') AS
      seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.kind = $6
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $8
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.created_at, t.id) < (CAST($7 AS timestamptz(3)), CAST($8 AS text))
  ORDER BY t.created_at DESC, t.id DESC
  LIMIT $9
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.created_at, t.id) > (CAST($7 AS timestamptz(3)), CAST($8 AS text))
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $9
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at DESC, t.id DESC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_thread_ids
      WHERE workspace_id = $2 AND viewer_id = $3 AND found_as = 'group chat'
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.kind = $6
    AND t.last_activity_at > CAST($7 AS timestamptz(3))
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

-- Reads threads, visible_thread_ids, visible_threads.
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
    FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $2 AND viewer_id = $3 AND found_as = 'dm') AS
      seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.kind = $6
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

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.activity_period, t.last_activity_at, t.id) <
      (CAST($7 AS bigint), CAST($8 AS timestamptz(3)), CAST($9 AS text))
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $10
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.activity_period, t.last_activity_at, t.id) >
      (CAST($7 AS bigint), CAST($8 AS timestamptz(3)), CAST($9 AS text))
  ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
  LIMIT $10
) AS page
ORDER BY parent.number, "key0" ASC, "lastActivityAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
  LIMIT $7
) AS page
ORDER BY parent.number, "key0" ASC, "lastActivityAt" ASC, "id" ASC;

-- Reads threads, visible_thread_ids, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $7
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_thread_ids.
SELECT count(*)::integer AS threads, coalesce(sum(t.last_position), 0)::float8 AS messages
FROM (
  SELECT id
  FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $1 AND viewer_id = $2) AS own
  LIMIT $3
) AS seen
CROSS JOIN LATERAL (SELECT last_position FROM threads WHERE workspace_id = $4 AND id = seen.id OFFSET 0) AS t;

-- Reads threads, visible_thread_ids.
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
    FROM visible_thread_ids
    WHERE workspace_id = $3 AND viewer_id = $4 AND found_as = 'dm'
    LIMIT $5
  ) AS gathered
) AS own;

-- Reads threads, visible_thread_ids.
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
    FROM visible_thread_ids
    WHERE workspace_id = $3 AND viewer_id = $4 AND found_as = 'group chat'
    LIMIT $5
  ) AS gathered
) AS own;

-- Reads threads, visible_thread_ids.
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
  FROM (SELECT id FROM visible_thread_ids WHERE workspace_id = $3 AND viewer_id = $4 LIMIT $5) AS gathered
) AS own;

-- Reads threads, visible_threads.
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
    SELECT *
    FROM threads t
    WHERE t.workspace_id = $2 AND (t.created_at, t.id) < (CAST($3 AS timestamptz(3)), CAST($4 AS text))
    ORDER BY t.created_at DESC, t.id DESC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.created_at, t.id) < (CAST($7 AS timestamptz(3)), CAST($8 AS text))
  ORDER BY t.created_at DESC, t.id DESC
  LIMIT $9
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
    SELECT *
    FROM threads t
    WHERE t.workspace_id = $2 AND (t.created_at, t.id) > (CAST($3 AS timestamptz(3)), CAST($4 AS text))
    ORDER BY t.created_at ASC, t.id ASC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.created_at, t.id) > (CAST($7 AS timestamptz(3)), CAST($8 AS text))
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $9
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
      WHERE workspace_id = $2
        AND last_activity_at > CAST($3 AS timestamptz(3))
        AND activity_period >= $4::bigint
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $5 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $6
    AND TRUE
    AND t.kind = $7
    AND t.last_activity_at > CAST($8 AS timestamptz(3))
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $9 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $10
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
    FROM (SELECT id FROM threads WHERE workspace_id = $2 AND started_by_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.started_by_id = $6
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $8
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $4 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
    AND t.kind = $4
    AND t.last_activity_at > CAST($5 AS timestamptz(3))
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
  FROM (SELECT * FROM threads t WHERE t.workspace_id = $2 ORDER BY t.created_at DESC, t.id DESC OFFSET 0) AS t
  WHERE t.workspace_id = $3
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $4 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.created_at DESC, t.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
      AND (t.activity_period, t.last_activity_at, t.id) <
        (CAST($3 AS bigint), CAST($4 AS timestamptz(3)), CAST($5 AS text))
    ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $6
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.activity_period, t.last_activity_at, t.id) <
      (CAST($8 AS bigint), CAST($9 AS timestamptz(3)), CAST($10 AS text))
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $11
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
      AND (t.activity_period, t.last_activity_at, t.id) >
        (CAST($3 AS bigint), CAST($4 AS timestamptz(3)), CAST($5 AS text))
    ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $6
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $7 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
    AND (t.activity_period, t.last_activity_at, t.id) >
      (CAST($8 AS bigint), CAST($9 AS timestamptz(3)), CAST($10 AS text))
  ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
  LIMIT $11
) AS page
ORDER BY parent.number, "key0" ASC, "lastActivityAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
    ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
    OFFSET 0
  ) AS t
  WHERE t.workspace_id = $3
    AND TRUE
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $4 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period ASC, t.last_activity_at ASC, t.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "key0" ASC, "lastActivityAt" ASC, "id" ASC;

-- Reads threads, visible_threads.
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
      FROM visible_threads
      WHERE viewer_id = $4 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
    AND t.kind = $4
    AND t.last_activity_at > CAST($5 AS timestamptz(3))
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $6 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $7
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
      WHERE workspace_id = $2
        AND last_activity_at > CAST($3 AS timestamptz(3))
        AND activity_period >= $4::bigint
    ) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $5 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $6
    AND TRUE
    AND t.kind = $7
    AND t.last_activity_at > CAST($8 AS timestamptz(3))
    AND EXISTS (
      SELECT
      FROM visible_threads
      WHERE viewer_id = $9 AND workspace_id = t.workspace_id AND id = t.id
      OFFSET 0
    )
  ORDER BY t.activity_period DESC, t.last_activity_at DESC, t.id DESC
  LIMIT $10
) AS page
ORDER BY parent.number, "key0" DESC, "lastActivityAt" DESC, "id" DESC;

-- Reads threads, visible_threads.
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
    FROM (SELECT id FROM threads WHERE workspace_id = $2 AND started_by_id = $3) AS seen
  ) AS few
  CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $4 AND id = few.id OFFSET 0) AS t
  WHERE t.workspace_id = $5
    AND TRUE
    AND t.started_by_id = $6
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

-- Reads threads, visible_threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion",
  coalesce((t.closed_at < clock_timestamp() - make_interval(secs => $1::double precision)), FALSE) AS
  "hasRested", EXISTS (
  SELECT
  FROM visible_threads
  WHERE viewer_id = $2 AND workspace_id = t.workspace_id AND id = t.id
  OFFSET 0
) AS "isVisible"
FROM threads t
WHERE t.workspace_id = $3 AND t.started_by_id = $4 AND t.thread_by_target = $5 AND t.thread_by = $6;

-- Reads threads.
SELECT id
FROM threads
WHERE workspace_id = $1 AND id = $2 AND started_by_id = $3;

-- Reads threads.
SELECT id
FROM threads
WHERE workspace_id = $1 AND started_by_id = $2 AND thread_by_target = $3 AND thread_by = $4;

-- Reads threads.
SELECT id, subject AS text
FROM threads
WHERE workspace_id = $1 AND folded_subject IS NULL AND subject IS NOT NULL
ORDER BY id
LIMIT 1000;

-- Reads threads.
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
    WHERE workspace_id = $3
      AND last_activity_at > CAST($4 AS timestamptz(3))
      AND activity_period >= $5::bigint
    LIMIT $6
  ) AS gathered
) AS own;

-- Reads threads.
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
  FROM (SELECT id FROM threads WHERE workspace_id = $3 AND started_by_id = $4 LIMIT $5) AS gathered
) AS own;

-- Reads threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $2 AND chat_group_id = wanted.value OFFSET 0)
  AS t;

-- Reads threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM threads WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS t;

-- Reads threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion"
FROM unnest($1::text[], $2::text[]) AS pair (low, high)
CROSS JOIN LATERAL (
  SELECT *
  FROM threads
  WHERE workspace_id = $3 AND dm_low_user_id = pair.low AND dm_high_user_id = pair.high
  OFFSET 0
) AS t;

-- Reads visible_threads.
SELECT pair.user_id AS "userID", pair.id
FROM unnest($1::text[], $2::text[]) AS pair (user_id, id)
WHERE EXISTS (
  SELECT
  FROM visible_threads
  WHERE viewer_id = pair.user_id AND workspace_id = $3 AND id = pair.id
  OFFSET 0
);

-- Reads visible_threads.
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
  FROM visible_threads t
  WHERE t.viewer_id = $2 AND t.workspace_id = $3 AND t.from_message_id = parent.id
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_threads.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
    t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
    t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
    t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt",
    t.recipients_locked AS "recipientsLocked", t.replies_off AS "repliesOff",
    t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
    t.state AS "state", t.closing_version AS "closingVersion"
  FROM visible_threads t
  WHERE t.viewer_id = $2 AND t.workspace_id = $3 AND t.from_message_id = parent.id
  ORDER BY t.created_at ASC, t.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_threads.
SELECT t.workspace_id AS "workspaceID", t.id AS "id", t.kind AS "kind", t.subject AS "subject",
  t.chat_group_id AS "chatGroupID", t.dm_low_user_id AS "dmLowUserID", t.dm_high_user_id AS "dmHighUserID",
  t.started_by_id AS "startedByID", t.thread_by AS "threadBy", t.thread_by_target AS "threadByTarget",
  t.from_message_id AS "fromMessageID", t.closed_at AS "closedAt", t.recipients_locked AS "recipientsLocked",
  t.replies_off AS "repliesOff", t.last_position AS "lastPosition", t.last_activity_at AS "lastActivityAt",
  t.created_at AS "createdAt", t.state AS "state", t.closing_version AS "closingVersion"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM visible_threads
  WHERE workspace_id = $2 AND id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS t;

-- Updates threads.
UPDATE threads
SET subject = CASE WHEN $1::boolean THEN $2 ELSE subject END,
  closed_at = CASE $3::boolean WHEN TRUE THEN clock_timestamp() WHEN FALSE THEN NULL ELSE closed_at END,
  recipients_locked = coalesce($4::boolean, recipients_locked),
  replies_off = coalesce($5::boolean, replies_off)
WHERE workspace_id = $6 AND id = $7;

-- Updates threads. Reads threads.
WITH locked AS MATERIALIZED (
  SELECT r.id, f.folded
  FROM unnest($1::text[], $2::text[], $3::text[]) AS f (id, text, folded)
  CROSS JOIN LATERAL (
    SELECT id
    FROM threads
    WHERE workspace_id = $4 AND id = f.id AND subject = f.text
    FOR NO KEY UPDATE
  ) AS r
)
UPDATE threads t
SET folded_subject = locked.folded
FROM locked
WHERE t.workspace_id = $5 AND t.id = locked.id;
