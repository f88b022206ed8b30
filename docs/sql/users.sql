-- Deletes from personal_access_tokens.
DELETE FROM "public"."personal_access_tokens"
WHERE (
  "public"."personal_access_tokens"."workspace_id" = $1
    AND "public"."personal_access_tokens"."user_id" = $2
    AND "public"."personal_access_tokens"."id" = $3
);

-- Deletes from personal_access_tokens.
DELETE FROM personal_access_tokens
WHERE expires_at < now() - make_interval(days => $1);

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
  "public"."users"."created_at", "public"."users"."deleted_at";

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
  OFFSET 0
) AS person
WHERE p.expires_at > now();

-- Reads users.
SELECT "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at"
FROM "public"."users"
WHERE "public"."users"."id" = $1
LIMIT $2
OFFSET $3;

-- Reads users.
SELECT "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at"
FROM "public"."users"
WHERE (
  "public"."users"."workspace_id" = $1
    AND "public"."users"."id" = $2
    AND "public"."users"."deleted_at" IS NULL
)
LIMIT $3
OFFSET $4;

-- Reads users.
SELECT id
FROM users
WHERE workspace_id = $1 AND id = $2 AND account_id = $3 AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND (u.name ~* $3 OR starts_with(lower(u.email), lower($4)))
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
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND (u.name ~* $3 OR starts_with(lower(u.email), lower($4)))
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
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND (u.name ~* $3 OR starts_with(lower(u.email), lower($4)))
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2
    AND u.deleted_at IS NULL
    AND (u.name ~* $3 OR starts_with(lower(u.email), lower($4)))
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
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
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
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
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
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
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2 AND u.deleted_at IS NULL AND TRUE
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2 AND u.deleted_at IS NULL AND u.email IS NOT NULL AND lower(u.email) = lower($3)
  ORDER BY u.created_at ASC, u.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
  FROM users u
  WHERE u.workspace_id = $2 AND u.deleted_at IS NULL AND u.email IS NOT NULL AND lower(u.email) = lower($3)
  ORDER BY u.created_at DESC, u.id DESC
  LIMIT $4
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
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS u;

-- Reads users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt"
FROM users u
WHERE workspace_id = $1 AND deleted_at IS NULL AND email IS NOT NULL AND lower(email) = lower($2)
ORDER BY account_id IS NULL, created_at, id
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
SET "deleted_at" = $1
WHERE (("public"."users"."workspace_id" = $2 AND "public"."users"."id" = $3) AND 1=1)
RETURNING "public"."users"."workspace_id", "public"."users"."id", "public"."users"."kind",
  "public"."users"."name", "public"."users"."email", "public"."users"."account_id",
  "public"."users"."created_at", "public"."users"."deleted_at";

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
  "public"."users"."created_at", "public"."users"."deleted_at";

-- Updates users.
UPDATE users u
SET deleted_at = clock_timestamp(), account_id = NULL
WHERE u.workspace_id = $1 AND u.id = $2 AND u.deleted_at IS NULL
RETURNING u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
  u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt";

-- Updates users. Reads users.
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
  AND lower(users.email) = $4;
