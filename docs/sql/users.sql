-- Deletes from personal_access_tokens.
DELETE FROM personal_access_tokens
WHERE expires_at < now() - make_interval(days => $1);

-- Deletes from personal_access_tokens.
DELETE FROM personal_access_tokens
WHERE workspace_id = $1 AND user_id = $2 AND id = $3
RETURNING id, name;

-- Inserts into event_notes. Updates users. Reads users.
WITH linked AS (
  UPDATE users
  SET account_id = $1
  FROM (
    SELECT DISTINCT ON (u.workspace_id) u.workspace_id, u.id
    FROM users u
    WHERE u.account_id IS NULL
      AND u.kind = 'person'
      AND u.deleted_at IS NULL
      AND lower(u.email) = $2
      AND NOT EXISTS (
        SELECT
        FROM users linked
        WHERE linked.account_id = $3 AND linked.workspace_id = u.workspace_id
      )
    ORDER BY u.workspace_id, u.created_at, u.id
  ) AS first
  WHERE users.workspace_id = first.workspace_id
    AND users.id = first.id
    AND users.account_id IS NULL
    AND users.deleted_at IS NULL
    AND lower(users.email) = $4
  RETURNING users.workspace_id, users.id
), noted AS (
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  SELECT workspace_id, array_agg(type), array_agg(thread_id), array_agg(object_id)
  FROM (SELECT workspace_id, 'user.updated', NULL, id FROM linked) AS event
    (workspace_id, type, thread_id, object_id)
  GROUP BY workspace_id
)
SELECT
FROM linked;

-- Inserts into personal_access_tokens. Reads personal_access_tokens.
INSERT INTO personal_access_tokens AS p
  (workspace_id, id, user_id, account_id, name, scopes, token_hash, expires_at)
SELECT $1, $2, $3, $4, $5, $6::text[], $7, now() + make_interval(days => $8)
WHERE (
  SELECT count(*)
  FROM personal_access_tokens
  WHERE workspace_id = $9 AND user_id = $10 AND expires_at > now()
) < $11
RETURNING p.workspace_id AS "workspaceID", p.id AS "id", p.user_id AS "userID", p.account_id AS "accountID",
  p.name AS "name", p.scopes AS "scopes", p.token_hash AS "tokenHash", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", p.last_used_at AS "lastUsedAt";

-- Inserts into users.
INSERT INTO "public"."users" ("workspace_id", "id", "kind", "name", "email")
VALUES ($1, $2, $3, $4, $5)
RETURNING "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id";

-- Reads accounts, personal_access_tokens, users.
SELECT p.workspace_id AS "workspaceID", p.id AS "id", p.user_id AS "userID", p.account_id AS "accountID",
  p.name AS "name", p.scopes AS "scopes", p.token_hash AS "tokenHash", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", p.last_used_at AS "lastUsedAt"
FROM personal_access_tokens p
WHERE p.workspace_id = $1
  AND p.user_id = $2
  AND p.expires_at > now()
  AND EXISTS (
    SELECT u.id
    FROM users u
    CROSS JOIN LATERAL (
      SELECT
      FROM accounts a
      WHERE a.id = p.account_id
        AND a.deactivated_at IS NULL
        AND coalesce(a.verified_at <= p.created_at, TRUE)
      OFFSET 0
    ) AS account
    WHERE u.workspace_id = p.workspace_id
      AND u.id = p.user_id
      AND u.account_id = p.account_id
      AND u.deleted_at IS NULL
      AND coalesce(u.restored_at <= p.created_at, TRUE)
    OFFSET 0
  )
ORDER BY p.id;

-- Reads accounts, personal_access_tokens, users.
SELECT wanted.hash AS id, p.workspace_id AS "workspaceID", p.id AS "tokenID", p.user_id AS "userID", p.scopes,
  p.last_used_at IS NULL
  OR p.last_used_at < now() - make_interval(mins => $1) AS "isStale"
FROM unnest($2::text[]) AS wanted (hash)
CROSS JOIN LATERAL (
  SELECT *
  FROM personal_access_tokens
  WHERE token_hash = decode(wanted.hash, 'hex')
  OFFSET 0
) p
CROSS JOIN LATERAL (
  SELECT u.id
  FROM users u
  CROSS JOIN LATERAL (
    SELECT
    FROM accounts a
    WHERE a.id = p.account_id AND a.deactivated_at IS NULL AND coalesce(a.verified_at <= p.created_at, TRUE)
    OFFSET 0
  ) AS account
  WHERE u.workspace_id = p.workspace_id
    AND u.id = p.user_id
    AND u.account_id = p.account_id
    AND u.deleted_at IS NULL
    AND coalesce(u.restored_at <= p.created_at, TRUE)
  OFFSET 0
) AS person
WHERE p.expires_at > now();

-- Reads accounts, users.
SELECT
FROM accounts
WHERE email = lower($1) AND deactivated_at IS NULL
UNION ALL (
  SELECT
  FROM users
  WHERE lower(email) = lower($2) AND account_id IS NULL AND kind = 'person' AND deleted_at IS NULL
  LIMIT 1
)
LIMIT 1;

-- Reads audit_entries, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT e.workspace_id AS "workspaceID", e.id AS "id", e.created_at AS "createdAt",
    e.expires_at AS "expiresAt", e.action AS "action", e.outcome AS "outcome", e.actor_kind AS "actorKind",
    e.actor_id AS "actorID", e.actor_name AS "actorName", e.means AS "means", e.program_id AS "programID",
    e.object_id AS "objectID", e.object_name AS "objectName", e.details AS "details", e.address AS "address",
    e.user_agent AS "userAgent", (
    SELECT u.name
    FROM users u
    WHERE u.workspace_id = e.workspace_id AND u.id = e.actor_id
  ) AS "userName"
  FROM (
    (
      SELECT *
      FROM audit_entries e
      WHERE e.workspace_id = $2 AND TRUE
      ORDER BY e.created_at DESC, e.id DESC
      LIMIT $3
    )
    UNION ALL (
      SELECT *
      FROM audit_entries e
      WHERE e.workspace_id = ''
        AND e.actor_kind = 'account'
        AND EXISTS (
          SELECT
          FROM users u
          WHERE u.workspace_id = $4 AND u.account_id = e.actor_id AND u.created_at <= e.created_at
          OFFSET 0
        )
        AND TRUE
      ORDER BY e.created_at DESC, e.id DESC
      LIMIT $5
    )
  ) AS e
  WHERE TRUE
  ORDER BY e.created_at DESC, e.id DESC
  LIMIT $6
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads audit_entries, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT e.workspace_id AS "workspaceID", e.id AS "id", e.created_at AS "createdAt",
    e.expires_at AS "expiresAt", e.action AS "action", e.outcome AS "outcome", e.actor_kind AS "actorKind",
    e.actor_id AS "actorID", e.actor_name AS "actorName", e.means AS "means", e.program_id AS "programID",
    e.object_id AS "objectID", e.object_name AS "objectName", e.details AS "details", e.address AS "address",
    e.user_agent AS "userAgent", (
    SELECT u.name
    FROM users u
    WHERE u.workspace_id = e.workspace_id AND u.id = e.actor_id
  ) AS "userName"
  FROM audit_entries e
  WHERE TRUE
  ORDER BY e.created_at DESC, e.id DESC
  LIMIT $2
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads sign_in_links, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT l.code_hash AS "codeHash", l.email AS "email", l.workspace_id AS "workspaceID",
    l.proves_email AS "provesEmail", l.expires_at AS "expiresAt", l.user_id AS "userID",
    l.inviter_id AS "inviterID", l.created_at AS "createdAt", l.revoked_at AS "revokedAt",
    l.mailed_at AS "mailedAt"
  FROM sign_in_links l
  CROSS JOIN LATERAL (
    SELECT
    FROM users
    WHERE workspace_id = l.workspace_id
      AND id = l.user_id
      AND lower(email) = l.email
      AND account_id IS NULL
      AND deleted_at IS NULL
    OFFSET 0
  ) AS invitee
  WHERE l.workspace_id = $2 AND l.user_id IS NOT NULL AND l.revoked_at IS NULL
  ORDER BY l.created_at ASC, l.user_id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "userID" ASC;

-- Reads users.
SELECT
FROM users
WHERE workspace_id = $1 AND id = $2
FOR NO KEY UPDATE;

-- Reads users.
SELECT
FROM users
WHERE workspace_id = $1 AND lower(email) = lower($2) AND email IS NOT NULL AND deleted_at IS NOT NULL
LIMIT 1;

-- Reads users.
SELECT "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id"
FROM "public"."users"
WHERE "public"."users"."id" = $1
LIMIT $2
OFFSET $3;

-- Reads users.
SELECT "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id"
FROM "public"."users"
WHERE (
  "public"."users"."workspace_id" = $1
    AND "public"."users"."id" = $2
    AND "public"."users"."deleted_at" IS NULL
)
LIMIT $3
OFFSET $4;

-- Reads users.
SELECT "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id"
FROM "public"."users"
WHERE ("public"."users"."id" = $1 AND "public"."users"."workspace_id" = $2)
LIMIT $3
OFFSET $4;

-- Reads users.
SELECT DISTINCT u.account_id AS id
FROM users u
WHERE u.workspace_id = $1
  AND u.id = ANY($2::text[])
  AND u.account_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM users o WHERE o.account_id = u.account_id AND o.workspace_id <> u.workspace_id);

-- Reads users.
SELECT id
FROM users
WHERE workspace_id = $1 AND id = $2 AND account_id = $3 AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- Reads users.
SELECT id, name AS text
FROM users
WHERE workspace_id = $1 AND folded_name IS NULL AND name IS NOT NULL
ORDER BY id
LIMIT 1000;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (strpos(u.folded_name, $3) > 0 OR starts_with(lower(u.email), lower($4)))
    AND (u.created_at, u.id) < (CAST($5 AS timestamptz(3)), CAST($6 AS text))
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (strpos(u.folded_name, $3) > 0 OR starts_with(lower(u.email), lower($4)))
    AND (u.created_at, u.id) > (CAST($5 AS timestamptz(3)), CAST($6 AS text))
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (strpos(u.folded_name, $3) > 0 OR starts_with(lower(u.email), lower($4)))
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (strpos(u.folded_name, $3) > 0 OR starts_with(lower(u.email), lower($4)))
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (u.created_at, u.id) < (CAST($3 AS timestamptz(3)), CAST($4 AS text))
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND (u.created_at, u.id) > (CAST($3 AS timestamptz(3)), CAST($4 AS text))
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND u.email IS NOT NULL
    AND lower(u.email) = lower($3)
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND TRUE
    AND u.email IS NOT NULL
    AND lower(u.email) = lower($3)
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2 AND u.deleted_at IS NULL AND TRUE
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
  FROM users u
  WHERE u.workspace_id = $2 AND u.deleted_at IS NULL AND TRUE
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT u.id
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT id
  FROM users
  WHERE workspace_id = $2 AND id = wanted.value AND deleted_at IS NULL
  FOR SHARE
) AS u;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS u;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
FROM users u
WHERE u.workspace_id = $1 AND u.id = $2 AND u.deleted_at IS NULL
FOR NO KEY UPDATE;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
FROM users u
WHERE workspace_id = $1 AND deleted_at IS NOT NULL AND email IS NOT NULL AND lower(email) = lower($2)
ORDER BY deleted_at DESC, id
LIMIT 1;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID"
FROM users u
WHERE workspace_id = $1 AND deleted_at IS NULL AND email IS NOT NULL AND lower(email) = lower($2)
ORDER BY deleted_at DESC, id
LIMIT 1;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id, u.name, (
  SELECT name
  FROM users
  WHERE workspace_id = $1 AND id = $2
) AS "inviterName"
FROM users u
WHERE u.workspace_id = $3 AND lower(u.email) = $4 AND u.kind = 'person' AND u.deleted_at IS NULL
LIMIT 1;

-- Reads users.
SELECT wanted.value AS id, u.id AS "userID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $2 AND account_id = wanted.value OFFSET 0) AS u
WHERE u.deleted_at IS NULL;

-- Updates personal_access_tokens.
UPDATE personal_access_tokens
SET last_used_at = now()
WHERE workspace_id = $1 AND id = $2;

-- Updates users.
UPDATE "public"."users"
SET "avatar_file_id" = $1
WHERE (
  "public"."users"."workspace_id" = $2
    AND "public"."users"."id" = $3
    AND "public"."users"."deleted_at" IS NULL
);

-- Updates users.
UPDATE "public"."users"
SET "avatar_file_id" = $1
WHERE (
  "public"."users"."workspace_id" = $2
    AND "public"."users"."id" = $3
    AND "public"."users"."kind" = $4
    AND "public"."users"."deleted_at" IS NULL
)
RETURNING "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id";

-- Updates users.
UPDATE "public"."users"
SET "name" = $1
WHERE (
  "public"."users"."workspace_id" = $2
    AND "public"."users"."id" = $3
    AND "public"."users"."deleted_at" IS NULL
);

-- Updates users.
UPDATE "public"."users"
SET "name" = $1
WHERE (
  "public"."users"."workspace_id" = $2
    AND "public"."users"."id" = $3
    AND "public"."users"."kind" = $4
    AND "public"."users"."deleted_at" IS NULL
)
RETURNING "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at", "public"."users"."restored_at",
  "public"."users"."avatar_file_id";

-- Updates users.
UPDATE users u
SET deleted_at = NULL, restored_at = clock_timestamp()
WHERE u.workspace_id = $1 AND u.id = $2 AND u.deleted_at IS NOT NULL
RETURNING u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
  u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID";

-- Updates users.
UPDATE users u
SET deleted_at = clock_timestamp(), account_id = NULL, avatar_file_id = NULL
WHERE u.workspace_id = $1 AND u.id = $2 AND u.deleted_at IS NULL
RETURNING u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
  u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID";

-- Updates users. Reads users.
WITH locked AS MATERIALIZED (
  SELECT r.id, f.folded
  FROM unnest($1::text[], $2::text[], $3::text[]) AS f (id, text, folded)
  CROSS JOIN LATERAL (
    SELECT id
    FROM users
    WHERE workspace_id = $4 AND id = f.id AND name = f.text
    FOR NO KEY UPDATE
  ) AS r
)
UPDATE users t
SET folded_name = locked.folded
FROM locked
WHERE t.workspace_id = $5 AND t.id = locked.id;
