-- Inserts into workspaces.
INSERT INTO "public"."workspaces" (
  "id", "name", "email_domain", "avatar_url", "custom_apps_enabled", "members_may_create_apps",
    "members_may_create_webhooks"
)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING "public"."workspaces"."id", "public"."workspaces"."name", "public"."workspaces"."email_domain",
  "public"."workspaces"."avatar_url", "public"."workspaces"."custom_apps_enabled",
  "public"."workspaces"."created_at", "public"."workspaces"."members_may_create_apps",
  "public"."workspaces"."members_may_create_webhooks";

-- Reads users, workspaces.
SELECT u.workspace_id AS "workspaceID", w.name AS workspace, w.avatar_url AS "avatarURL", u.id AS "userID",
  u.name
FROM (SELECT * FROM users WHERE account_id = $1 AND deleted_at IS NULL OFFSET 0) u
CROSS JOIN LATERAL (SELECT name, avatar_url FROM workspaces WHERE id = u.workspace_id OFFSET 0) w
ORDER BY u.created_at, u.id;

-- Reads workspaces.
SELECT
FROM workspaces
WHERE id = $1
FOR NO KEY UPDATE;

-- Reads workspaces.
SELECT "public"."workspaces"."id", "public"."workspaces"."name"
FROM "public"."workspaces"
WHERE ("public"."workspaces"."id" = $1 AND 1=1)
LIMIT $2
OFFSET $3;

-- Reads workspaces.
SELECT "public"."workspaces"."id", "public"."workspaces"."name", "public"."workspaces"."email_domain",
  "public"."workspaces"."avatar_url", "public"."workspaces"."custom_apps_enabled",
  "public"."workspaces"."created_at", "public"."workspaces"."members_may_create_apps",
  "public"."workspaces"."members_may_create_webhooks"
FROM "public"."workspaces"
WHERE ("public"."workspaces"."id" = $1 AND 1=1)
LIMIT $2
OFFSET $3;

-- Reads workspaces.
SELECT id, name
FROM workspaces
WHERE id = $1
FOR UPDATE;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE TRUE
  ORDER BY w.created_at ASC, w.id ASC
  LIMIT $2
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE TRUE AND (w.created_at, w.id) < (CAST($2 AS timestamptz(3)), CAST($3 AS text))
  ORDER BY w.created_at DESC, w.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE TRUE AND (w.created_at, w.id) > (CAST($2 AS timestamptz(3)), CAST($3 AS text))
  ORDER BY w.created_at ASC, w.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE w.id = $2
  ORDER BY w.created_at ASC, w.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE w.id = $2
  ORDER BY w.created_at DESC, w.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE w.id = $2 AND (w.created_at, w.id) < (CAST($3 AS timestamptz(3)), CAST($4 AS text))
  ORDER BY w.created_at DESC, w.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads workspaces.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
    w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
    w.members_may_create_apps AS "membersMayCreateApps",
    w.members_may_create_webhooks AS "membersMayCreateWebhooks"
  FROM workspaces w
  WHERE w.id = $2 AND (w.created_at, w.id) > (CAST($3 AS timestamptz(3)), CAST($4 AS text))
  ORDER BY w.created_at ASC, w.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads workspaces.
SELECT w.id AS "id", w.name AS "name", w.email_domain AS "emailDomain", w.avatar_url AS "avatarURL",
  w.custom_apps_enabled AS "customAppsEnabled", w.created_at AS "createdAt",
  w.members_may_create_apps AS "membersMayCreateApps",
  w.members_may_create_webhooks AS "membersMayCreateWebhooks"
FROM workspaces w
WHERE id = $1
FOR SHARE;

-- Updates workspaces.
UPDATE "public"."workspaces"
SET "members_may_create_apps" = $1, "members_may_create_webhooks" = $2
WHERE "public"."workspaces"."id" = $3
RETURNING "public"."workspaces"."id", "public"."workspaces"."name", "public"."workspaces"."email_domain",
  "public"."workspaces"."avatar_url", "public"."workspaces"."custom_apps_enabled",
  "public"."workspaces"."created_at", "public"."workspaces"."members_may_create_apps",
  "public"."workspaces"."members_may_create_webhooks";

-- Updates workspaces.
UPDATE "public"."workspaces"
SET "name" = $1
WHERE "public"."workspaces"."id" = $2
RETURNING "public"."workspaces"."id", "public"."workspaces"."name", "public"."workspaces"."email_domain",
  "public"."workspaces"."avatar_url", "public"."workspaces"."custom_apps_enabled",
  "public"."workspaces"."created_at", "public"."workspaces"."members_may_create_apps",
  "public"."workspaces"."members_may_create_webhooks";
