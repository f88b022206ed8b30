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
WHERE last_used_at < now() - make_interval(days => $1)
  OR expires_at < now()
  OR created_at < now() - make_interval(days => $2);

-- Deletes from sign_in_links.
DELETE FROM sign_in_links
WHERE expires_at < now() AND (workspace_id IS NULL OR expires_at < now() - make_interval(days => $1));

-- Deletes from sign_in_links.
DELETE FROM sign_in_links
WHERE workspace_id = $1 AND (email = lower($2) OR user_id = $3);

-- Deletes from sign_in_links.
DELETE FROM sign_in_links l
WHERE code_hash = $1 AND expires_at > now() AND revoked_at IS NULL
RETURNING l.code_hash AS "codeHash", l.email AS "email", l.workspace_id AS "workspaceID",
  l.proves_email AS "provesEmail", l.expires_at AS "expiresAt", l.user_id AS "userID",
  l.inviter_id AS "inviterID", l.created_at AS "createdAt", l.revoked_at AS "revokedAt",
  l.mailed_at AS "mailedAt";

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
INSERT INTO sessions
  (token_hash, id, account_id, user_agent, may_reset_password, authenticated_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7));

-- Inserts into sign_in_links.
INSERT INTO sign_in_links (code_hash, email, workspace_id, user_id, inviter_id, proves_email, expires_at)
VALUES ($1, lower($2), $3, $4, $5, $6, now() + make_interval(mins => $7));

-- Inserts into sign_in_links.
INSERT INTO sign_in_links AS l (code_hash, email, proves_email, expires_at, mailed_at)
VALUES ($1, lower($2), TRUE, now() + make_interval(mins => $3), ARRAY[clock_timestamp()])
ON CONFLICT (email)
WHERE mailed_at IS NOT NULL DO UPDATE
SET code_hash = excluded.code_hash, expires_at = excluded.expires_at, created_at = excluded.created_at,
  mailed_at = (l.mailed_at || excluded.mailed_at)[greatest(1, cardinality(l.mailed_at) + 2 - $4::integer):]
WHERE cardinality(l.mailed_at) < $5::integer
  OR l.mailed_at[1] <= clock_timestamp() - make_interval(mins => $6)
RETURNING email;

-- Reads accounts, sessions.
SELECT wanted.hash AS id, s.id AS "sessionID", a.id AS "accountID", a.email,
  s.last_used_at < now() - make_interval(mins => $1) AS "isStale"
FROM unnest($2::text[]) AS wanted (hash)
CROSS JOIN LATERAL (SELECT * FROM sessions WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0) s
CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) a
WHERE s.last_used_at > now() - make_interval(days => $3)
  AND s.expires_at > now()
  AND a.deactivated_at IS NULL;

-- Reads accounts.
SELECT "public"."accounts"."id"
FROM "public"."accounts"
WHERE ("public"."accounts"."email" = $1 AND 1=1)
LIMIT $2
OFFSET $3;

-- Reads accounts.
SELECT "public"."accounts"."id", "public"."accounts"."email", "public"."accounts"."is_verified",
  "public"."accounts"."verified_at", "public"."accounts"."password_hash", "public"."accounts"."created_at",
  "public"."accounts"."deactivated_at"
FROM "public"."accounts"
WHERE ("public"."accounts"."email" = $1 AND 1=1)
LIMIT $2
OFFSET $3;

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
WHERE a.email = lower($1);

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
SELECT id
FROM accounts
WHERE email = lower($1);

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
SELECT LEAST(created_at, authenticated_at) > now() - make_interval(mins => $1) AS "isFresh"
FROM sessions
WHERE id = $2;

-- Reads sessions.
SELECT s.token_hash AS "tokenHash", s.id AS "id", s.account_id AS "accountID", s.user_agent AS "userAgent",
  s.created_at AS "createdAt", s.authenticated_at AS "authenticatedAt", s.last_used_at AS "lastUsedAt",
  s.expires_at AS "expiresAt", s.may_reset_password AS "mayResetPassword"
FROM sessions s
WHERE s.account_id = $1 AND s.last_used_at > now() - make_interval(days => $2) AND s.expires_at > now()
ORDER BY s.created_at DESC, s.id DESC;

-- Reads sign_in_links.
SELECT
FROM sign_in_links
WHERE workspace_id = $1 AND user_id = $2 AND revoked_at > $3::timestamptz;

-- Reads sign_in_links.
SELECT greatest(1, ceil(extract(epoch FROM mailed_at[1] + make_interval(mins => $1) - clock_timestamp())))::integer
  AS seconds
FROM sign_in_links
WHERE email = lower($2) AND mailed_at IS NOT NULL;

-- Reads sign_in_links.
SELECT l.code_hash AS "codeHash", l.email AS "email", l.workspace_id AS "workspaceID",
  l.proves_email AS "provesEmail", l.expires_at AS "expiresAt", l.user_id AS "userID",
  l.inviter_id AS "inviterID", l.created_at AS "createdAt", l.revoked_at AS "revokedAt",
  l.mailed_at AS "mailedAt"
FROM sign_in_links l
WHERE code_hash = $1 AND expires_at > now();

-- Updates accounts.
UPDATE "public"."accounts"
SET "password_hash" = $1
WHERE ("public"."accounts"."id" = $2 AND 1=1)
RETURNING "public"."accounts"."id", "public"."accounts"."email", "public"."accounts"."is_verified",
  "public"."accounts"."verified_at", "public"."accounts"."password_hash", "public"."accounts"."created_at",
  "public"."accounts"."deactivated_at";

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

-- Updates sign_in_links.
UPDATE sign_in_links
SET revoked_at = clock_timestamp()
WHERE workspace_id = $1 AND user_id = $2 AND revoked_at IS NULL;
