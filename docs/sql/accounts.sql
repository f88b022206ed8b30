-- Deletes from operator_tokens.
DELETE FROM operator_tokens
WHERE name = $1 AND expires_at <= now();

-- Deletes from operator_tokens.
DELETE FROM operator_tokens o
WHERE o.name = $1
RETURNING o.id AS "id", o.name AS "name", o.token_hash AS "tokenHash", o.created_at AS "createdAt",
  o.expires_at AS "expiresAt", o.last_used_at AS "lastUsedAt";

-- Deletes from sessions.
DELETE FROM "public"."sessions"
WHERE ("public"."sessions"."account_id" = $1 AND "public"."sessions"."id" = $2);

-- Deletes from sessions.
DELETE FROM sessions
WHERE account_id = $1 AND id IS DISTINCT FROM $2
RETURNING id;

-- Deletes from sessions.
DELETE FROM sessions
WHERE last_used_at < now() - make_interval(days => $1);

-- Deletes from sign_in_links.
DELETE FROM sign_in_links
WHERE code_hash = $1 AND expires_at > now()
RETURNING email, workspace_id AS "workspaceID", proves_email AS "provesEmail";

-- Deletes from sign_in_links.
DELETE FROM sign_in_links
WHERE expires_at < now();

-- Inserts into accounts.
INSERT INTO accounts (id, email, is_verified)
VALUES ($1, lower($2), $3)
ON CONFLICT (email) DO NOTHING;

-- Inserts into operator_tokens.
INSERT INTO operator_tokens AS o (id, name, token_hash, expires_at)
SELECT $1, $2, $3, now() + make_interval(days => $4::integer)
WHERE $5 <> $6
ON CONFLICT (name) DO NOTHING
RETURNING o.id AS "id", o.name AS "name", o.token_hash AS "tokenHash", o.created_at AS "createdAt",
  o.expires_at AS "expiresAt", o.last_used_at AS "lastUsedAt";

-- Inserts into sessions.
INSERT INTO "public"."sessions" ("token_hash", "id", "account_id", "user_agent", "may_reset_password")
VALUES ($1, $2, $3, $4, $5)
RETURNING "public"."sessions"."token_hash", "public"."sessions"."id", "public"."sessions"."account_id",
  "public"."sessions"."user_agent", "public"."sessions"."created_at", "public"."sessions"."last_used_at",
  "public"."sessions"."may_reset_password";

-- Inserts into sign_in_links. Deletes from sign_in_links.
WITH replaced AS (DELETE FROM sign_in_links WHERE email = lower($1) AND workspace_id = $2)
INSERT INTO sign_in_links (code_hash, email, workspace_id, proves_email, expires_at)
VALUES ($3, lower($4), $5, $6, now() + make_interval(mins => $7));

-- Reads accounts, sessions.
SELECT wanted.hash AS id, s.id AS "sessionID", a.id AS "accountID", a.email,
  s.last_used_at < now() - make_interval(mins => $1) AS "isStale"
FROM unnest($2::text[]) AS wanted (hash)
CROSS JOIN LATERAL (SELECT * FROM sessions WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0) s
CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) a
WHERE s.last_used_at > now() - make_interval(days => $3) AND a.deactivated_at IS NULL;

-- Reads accounts.
SELECT "public"."accounts"."id", "public"."accounts"."email", "public"."accounts"."is_verified",
  "public"."accounts"."verified_at", "public"."accounts"."password_hash", "public"."accounts"."created_at",
  "public"."accounts"."deactivated_at"
FROM "public"."accounts"
WHERE ("public"."accounts"."id" = $1 AND 1=1)
LIMIT $2
OFFSET $3;

-- Reads accounts.
SELECT a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
  a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt"
FROM accounts a
WHERE a.id = $1
FOR NO KEY UPDATE;

-- Reads accounts.
SELECT a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
  a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt"
FROM accounts a
WHERE email = lower($1)
FOR UPDATE;

-- Reads accounts.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
    a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt"
  FROM accounts a
  WHERE TRUE
  ORDER BY a.created_at ASC, a.id ASC
  LIMIT $2
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads accounts.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
    a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt"
  FROM accounts a
  WHERE a.email = lower($2)
  ORDER BY a.created_at ASC, a.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads operator_tokens.
SELECT o.id AS "id", o.name AS "name", o.token_hash AS "tokenHash", o.created_at AS "createdAt",
  o.expires_at AS "expiresAt", o.last_used_at AS "lastUsedAt"
FROM operator_tokens o
WHERE o.expires_at IS NULL OR o.expires_at > now()
ORDER BY o.created_at, o.id;

-- Reads operator_tokens.
SELECT wanted.hash AS id, o.id AS "tokenID", o.name, o.last_used_at IS NULL
  OR o.last_used_at < now() - make_interval(mins => $1) AS "isStale"
FROM unnest($2::text[]) AS wanted (hash)
CROSS JOIN LATERAL (SELECT * FROM operator_tokens WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0) o
WHERE o.expires_at IS NULL OR o.expires_at > now();

-- Reads sessions.
SELECT
FROM sessions
WHERE id = $1 AND may_reset_password AND created_at > now() - make_interval(mins => $2);

-- Reads sessions.
SELECT COUNT(*) AS "_count$_all"
FROM (
  SELECT "public"."sessions"."token_hash"
  FROM "public"."sessions"
  WHERE ("public"."sessions"."id" = $1 AND "public"."sessions"."account_id" = $2)
  OFFSET $3
) AS "sub";

-- Reads sessions.
SELECT s.token_hash AS "tokenHash", s.id AS "id", s.account_id AS "accountID", s.user_agent AS "userAgent",
  s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.may_reset_password AS "mayResetPassword"
FROM sessions s
WHERE s.account_id = $1 AND s.last_used_at > now() - make_interval(days => $2)
ORDER BY s.created_at DESC, s.id DESC;

-- Updates accounts.
UPDATE accounts a
SET deactivated_at = NULL
WHERE a.email = lower($1)
RETURNING a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
  a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt";

-- Updates accounts.
UPDATE accounts a
SET deactivated_at = coalesce(a.deactivated_at, now())
WHERE a.email = lower($1)
RETURNING a.id AS "id", a.email AS "email", a.is_verified AS "isVerified", a.verified_at AS "verifiedAt",
  a.password_hash AS "passwordHash", a.created_at AS "createdAt", a.deactivated_at AS "deactivatedAt";

-- Updates operator_tokens.
UPDATE operator_tokens
SET last_used_at = now()
WHERE id = $1;
