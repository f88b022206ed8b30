-- Deletes from access_tokens.
DELETE FROM access_tokens
WHERE token_hash = $1 AND app_id = $2;

-- Deletes from access_tokens.
DELETE FROM access_tokens
WHERE workspace_id = $1 AND app_id = $2
RETURNING expires_at > now() AS alive;

-- Deletes from access_tokens. Reads access_tokens.
DELETE FROM access_tokens
WHERE (workspace_id, token_hash) IN (
  SELECT workspace_id, token_hash
  FROM access_tokens
  WHERE expires_at < now()
  FOR UPDATE SKIP LOCKED
);

-- Deletes from grants.
DELETE FROM "public"."grants"
WHERE ("public"."grants"."workspace_id" = $1 AND "public"."grants"."app_id" = $2);

-- Deletes from grants.
DELETE FROM "public"."grants"
WHERE ("public"."grants"."workspace_id" = $1 AND "public"."grants"."id" = $2);

-- Deletes from grants.
DELETE FROM grants
WHERE expires_at < now();

-- Deletes from redirect_uris.
DELETE FROM "public"."redirect_uris"
WHERE ("public"."redirect_uris"."workspace_id" = $1 AND "public"."redirect_uris"."app_id" = $2);

-- Deletes from refresh_tokens.
DELETE FROM refresh_tokens
WHERE replaced_at < now() - interval '90 days';

-- Inserts into access_tokens, apps, audit_entries, group_members, groups, installations, redirect_uris, users, webhooks, workspaces.
WITH rows (value) AS (SELECT $1::jsonb), of_access_tokens AS (
  INSERT INTO access_tokens
    (app_id, created_at, expires_at, grant_id, scopes, token_hash, user_id, workspace_id)
  SELECT app_id, created_at, expires_at, grant_id, scopes, token_hash, user_id, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::access_tokens, value -> 'access_tokens')
), of_apps AS (
  INSERT INTO apps (
    avatar_file_id, created_at, creator_id, deleted_at, description, id, is_listed, name, secret_hash,
      workspace_id
  )
  SELECT avatar_file_id, created_at, creator_id, deleted_at, description, id, is_listed, name, secret_hash,
    workspace_id
  FROM rows, jsonb_populate_recordset(NULL::apps, value -> 'apps')
), of_audit_entries AS (
  INSERT INTO audit_entries (
    action, actor_id, actor_kind, actor_name, address, created_at, details, expires_at, id, means, object_id,
      object_name, outcome, program_id, user_agent, workspace_id
  )
  SELECT action, actor_id, actor_kind, actor_name, address, created_at, details, expires_at, id, means,
    object_id, object_name, outcome, program_id, user_agent, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::audit_entries, value -> 'audit_entries')
), of_group_members AS (
  INSERT INTO group_members (group_id, is_muted, joined_at, role, user_id, workspace_id)
  SELECT group_id, is_muted, joined_at, role, user_id, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::group_members, value -> 'group_members')
), of_groups AS (
  INSERT INTO groups (created_at, description, folded_name, id, is_private, name, workspace_id)
  SELECT created_at, description, folded_name, id, is_private, name, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::groups, value -> 'groups')
), of_installations AS (
  INSERT INTO installations
    (app_id, app_workspace_id, installed_at, scopes, uninstalled_at, user_id, workspace_id)
  SELECT app_id, app_workspace_id, installed_at, scopes, uninstalled_at, user_id, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::installations, value -> 'installations')
), of_redirect_uris AS (
  INSERT INTO redirect_uris (app_id, uri, workspace_id)
  SELECT app_id, uri, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::redirect_uris, value -> 'redirect_uris')
), of_users AS (
  INSERT INTO users (
    account_id, avatar_file_id, created_at, deleted_at, email, folded_name, id, kind, name, restored_at,
      workspace_id
  )
  SELECT account_id, avatar_file_id, created_at, deleted_at, email, folded_name, id, kind, name, restored_at,
    workspace_id
  FROM rows, jsonb_populate_recordset(NULL::users, value -> 'users')
), of_webhooks AS (
  INSERT INTO webhooks (
    allowed_targets, created_at, creator_id, default_target, deleted_at, description, disabled_at, expires_at,
      format, id, key_hash, last_used_at, name, previous_key_ends_at, previous_key_hash, resolved_calls,
      rest_days, revision, signature_secret, templates, user_id, workspace_id
  )
  SELECT allowed_targets, created_at, creator_id, default_target, deleted_at, description, disabled_at,
    expires_at, format, id, key_hash, last_used_at, name, previous_key_ends_at, previous_key_hash,
    resolved_calls, rest_days, revision, signature_secret, templates, user_id, workspace_id
  FROM rows, jsonb_populate_recordset(NULL::webhooks, value -> 'webhooks')
), of_workspaces AS (
  INSERT INTO workspaces (
    avatar_url, created_at, custom_apps_enabled, email_domain, id, members_may_create_apps,
      members_may_create_webhooks, name
  )
  SELECT avatar_url, created_at, custom_apps_enabled, email_domain, id, members_may_create_apps,
    members_may_create_webhooks, name
  FROM rows, jsonb_populate_recordset(NULL::workspaces, value -> 'workspaces')
)
SELECT 1;

-- Inserts into access_tokens.
INSERT INTO access_tokens (workspace_id, token_hash, app_id, grant_id, user_id, scopes, expires_at)
VALUES ($1, $2, $3, $4, $5, $6::text[], now() + make_interval(secs => $7));

-- Inserts into access_tokens. Reads installations.
WITH asked AS MATERIALIZED (
  SELECT asked.*
  FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[]) WITH ORDINALITY AS asked
    (workspace_id, app_id, hash, ttl_seconds, asked_scopes, number)
  CROSS JOIN (SELECT CASE WHEN NOT $6::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0) AS
    short_waits
), installed AS MATERIALIZED (
  SELECT i.*
  FROM (
    SELECT DISTINCT workspace_id COLLATE "C" AS workspace_id, app_id COLLATE "C" AS app_id
    FROM asked
    ORDER BY 1, 2
  ) AS app
  CROSS JOIN LATERAL (
    SELECT i.workspace_id, i.app_id, i.user_id, i.scopes
    FROM installations i
    WHERE i.workspace_id = app.workspace_id AND i.app_id = app.app_id AND i.uninstalled_at IS NULL
    FOR SHARE
  ) AS i
), granted AS (
  SELECT asked.*, installed.user_id, installed.scopes AS installed_scopes,
    coalesce(string_to_array(asked.asked_scopes, ' '), installed.scopes) AS scopes
  FROM asked
  JOIN installed USING (workspace_id, app_id)
), issued AS (
  INSERT INTO access_tokens (workspace_id, token_hash, app_id, scopes, expires_at)
  SELECT workspace_id, decode(hash, 'hex'), app_id, scopes, now() + make_interval(secs => ttl_seconds)
  FROM granted
)
SELECT number, user_id AS "userID", scopes, installed_scopes AS "installedScopes"
FROM granted;

-- Inserts into apps.
INSERT INTO "public"."apps"
  ("workspace_id", "id", "name", "secret_hash", "is_listed", "creator_id", "description")
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id";

-- Inserts into grants. Reads installations.
INSERT INTO grants (
  workspace_id, id, app_id, user_id, account_id, acts_as_user, scopes, code_hash, code_challenge,
    redirect_uri, expires_at
)
SELECT workspace_id, $1, app_id, $2, $3, $4, $5::text[], $6, $7, $8, now() + make_interval(secs => $9)
FROM installations
WHERE workspace_id = $10 AND app_id = $11 AND uninstalled_at IS NULL
FOR SHARE
RETURNING id;

-- Inserts into installations.
INSERT INTO "public"."installations" ("workspace_id", "app_id", "app_workspace_id", "user_id", "scopes")
VALUES ($1, $2, $3, $4, $5)
RETURNING "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."app_workspace_id", "public"."installations"."user_id",
  "public"."installations"."scopes", "public"."installations"."installed_at",
  "public"."installations"."uninstalled_at";

-- Inserts into redirect_uris.
INSERT INTO "public"."redirect_uris" ("workspace_id", "app_id", "uri")
VALUES ($1, $2, $3);

-- Inserts into refresh_tokens.
INSERT INTO refresh_tokens (workspace_id, token_hash, grant_id)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

-- Inserts into webhooks.
INSERT INTO "public"."webhooks" (
  "workspace_id", "id", "user_id", "name", "description", "key_hash", "creator_id", "revision",
    "allowed_targets", "resolved_calls"
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING "public"."webhooks"."workspace_id", "public"."webhooks"."id", "public"."webhooks"."user_id",
  "public"."webhooks"."name", "public"."webhooks"."description", "public"."webhooks"."key_hash",
  "public"."webhooks"."creator_id", "public"."webhooks"."created_at", "public"."webhooks"."disabled_at",
  "public"."webhooks"."deleted_at", "public"."webhooks"."last_used_at",
  "public"."webhooks"."previous_key_hash", "public"."webhooks"."previous_key_ends_at",
  "public"."webhooks"."expires_at", "public"."webhooks"."revision", "public"."webhooks"."default_target",
  "public"."webhooks"."allowed_targets", "public"."webhooks"."format", "public"."webhooks"."resolved_calls",
  "public"."webhooks"."rest_days", "public"."webhooks"."signature_secret", "public"."webhooks"."templates";

-- Inserts into webhooks.
INSERT INTO "public"."webhooks" (
  "workspace_id", "id", "user_id", "name", "key_hash", "creator_id", "revision", "allowed_targets",
    "resolved_calls"
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING "public"."webhooks"."workspace_id", "public"."webhooks"."id", "public"."webhooks"."user_id",
  "public"."webhooks"."name", "public"."webhooks"."description", "public"."webhooks"."key_hash",
  "public"."webhooks"."creator_id", "public"."webhooks"."created_at", "public"."webhooks"."disabled_at",
  "public"."webhooks"."deleted_at", "public"."webhooks"."last_used_at",
  "public"."webhooks"."previous_key_hash", "public"."webhooks"."previous_key_ends_at",
  "public"."webhooks"."expires_at", "public"."webhooks"."revision", "public"."webhooks"."default_target",
  "public"."webhooks"."allowed_targets", "public"."webhooks"."format", "public"."webhooks"."resolved_calls",
  "public"."webhooks"."rest_days", "public"."webhooks"."signature_secret", "public"."webhooks"."templates";

-- Reads access_tokens, accounts, grants, installations, users.
SELECT wanted.hash AS id, i.workspace_id AS "workspaceID", i.app_id AS "appID",
  coalesce(t.user_id, i.user_id) AS "userID", t.user_id IS NOT NULL AS "actsAsPerson", t.scopes,
  CASE WHEN t.user_id IS NULL THEN i.scopes ELSE t.scopes END AS "installedScopes"
FROM unnest($1::text[]) AS wanted (hash)
CROSS JOIN LATERAL (SELECT * FROM access_tokens WHERE token_hash = decode(wanted.hash, 'hex') OFFSET 0) t
JOIN installations i ON i.workspace_id = t.workspace_id AND i.app_id = t.app_id
LEFT JOIN LATERAL (
  SELECT person.id
  FROM (
    SELECT *
    FROM grants
    WHERE workspace_id = t.workspace_id AND id = t.grant_id AND t.user_id IS NOT NULL
    OFFSET 0
  ) g
  CROSS JOIN LATERAL (
    SELECT u.id
    FROM users u
    CROSS JOIN LATERAL (
      SELECT
      FROM accounts a
      WHERE a.id = g.account_id
        AND a.deactivated_at IS NULL
        AND coalesce(a.verified_at <= g.created_at, TRUE)
      OFFSET 0
    ) AS account
    WHERE u.workspace_id = g.workspace_id
      AND u.id = g.user_id
      AND u.account_id = g.account_id
      AND u.deleted_at IS NULL
      AND coalesce(u.restored_at <= g.created_at, TRUE)
    OFFSET 0
  ) AS person
) AS person ON TRUE
WHERE t.expires_at > now() AND i.uninstalled_at IS NULL AND (t.user_id IS NULL OR person.id IS NOT NULL);

-- Reads access_tokens.
SELECT "public"."access_tokens"."workspace_id", "public"."access_tokens"."token_hash",
  "public"."access_tokens"."app_id", "public"."access_tokens"."grant_id", "public"."access_tokens"."user_id",
  "public"."access_tokens"."scopes", "public"."access_tokens"."expires_at",
  "public"."access_tokens"."created_at"
FROM "public"."access_tokens"
WHERE (("public"."access_tokens"."workspace_id" = $1 AND "public"."access_tokens"."token_hash" = $2) AND 1=1)
LIMIT $3
OFFSET $4;

-- Reads accounts, apps, grants, installations, users, workspaces.
SELECT g.workspace_id AS "workspaceID", g.id, w.name AS workspace, w.avatar_url AS "avatarURL",
  a.id AS "appID", a.name AS app, g.scopes, g.created_at AS "createdAt",
  g.expires_at - make_interval(days => $1) AS "lastTokenAt"
FROM (SELECT * FROM users WHERE account_id = $2 AND deleted_at IS NULL OFFSET 0) u
JOIN grants g ON g.workspace_id = u.workspace_id AND g.user_id = u.id
JOIN workspaces w ON w.id = g.workspace_id
JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
JOIN apps a ON a.workspace_id = i.app_workspace_id AND a.id = i.app_id
WHERE g.acts_as_user
  AND g.code_used_at IS NOT NULL
  AND g.expires_at > now()
  AND EXISTS (
    SELECT u.id
    FROM users u
    CROSS JOIN LATERAL (
      SELECT
      FROM accounts a
      WHERE a.id = g.account_id
        AND a.deactivated_at IS NULL
        AND coalesce(a.verified_at <= g.created_at, TRUE)
      OFFSET 0
    ) AS account
    WHERE u.workspace_id = g.workspace_id
      AND u.id = g.user_id
      AND u.account_id = g.account_id
      AND u.deleted_at IS NULL
      AND coalesce(u.restored_at <= g.created_at, TRUE)
    OFFSET 0
  )
ORDER BY g.created_at DESC, g.id DESC;

-- Reads accounts, grants, installations, refresh_tokens, users.
SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.app_id AS "appID", g.user_id AS "userID",
  g.account_id AS "accountID", g.acts_as_user AS "actsAsUser", g.scopes AS "scopes",
  g.code_hash AS "codeHash", g.code_challenge AS "codeChallenge", g.redirect_uri AS "redirectURI",
  g.code_used_at AS "codeUsedAt", g.created_at AS "createdAt", g.expires_at AS "expiresAt",
  CASE WHEN g.acts_as_user THEN g.user_id ELSE i.user_id END AS "tokenUserID", i.scopes AS "installedScopes"
FROM grants g
JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
WHERE (g.workspace_id, g.id) = (
  SELECT workspace_id, grant_id
  FROM refresh_tokens
  WHERE token_hash = $1 AND replaced_at IS NULL
)
  AND g.app_id = $2
  AND g.expires_at > now()
  AND i.uninstalled_at IS NULL
  AND (
    EXISTS (
      SELECT u.id
      FROM users u
      CROSS JOIN LATERAL (
        SELECT
        FROM accounts a
        WHERE a.id = g.account_id
          AND a.deactivated_at IS NULL
          AND coalesce(a.verified_at <= g.created_at, TRUE)
        OFFSET 0
      ) AS account
      WHERE u.workspace_id = g.workspace_id
        AND u.id = g.user_id
        AND u.account_id = g.account_id
        AND u.deleted_at IS NULL
        AND coalesce(u.restored_at <= g.created_at, TRUE)
      OFFSET 0
    )
      OR (NOT g.acts_as_user AND g.code_used_at IS NOT NULL)
  )
FOR NO KEY UPDATE OF g;

-- Reads accounts, grants, installations, refresh_tokens, users.
SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.app_id AS "appID", g.user_id AS "userID",
  g.account_id AS "accountID", g.acts_as_user AS "actsAsUser", g.scopes AS "scopes",
  g.code_hash AS "codeHash", g.code_challenge AS "codeChallenge", g.redirect_uri AS "redirectURI",
  g.code_used_at AS "codeUsedAt", g.created_at AS "createdAt", g.expires_at AS "expiresAt",
  CASE WHEN g.acts_as_user THEN g.user_id ELSE i.user_id END AS "tokenUserID", i.scopes AS "installedScopes"
FROM grants g
JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
WHERE (g.workspace_id, g.id) = (SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = $1)
  AND g.app_id = $2
  AND g.expires_at > now()
  AND i.uninstalled_at IS NULL
  AND (
    EXISTS (
      SELECT u.id
      FROM users u
      CROSS JOIN LATERAL (
        SELECT
        FROM accounts a
        WHERE a.id = g.account_id
          AND a.deactivated_at IS NULL
          AND coalesce(a.verified_at <= g.created_at, TRUE)
        OFFSET 0
      ) AS account
      WHERE u.workspace_id = g.workspace_id
        AND u.id = g.user_id
        AND u.account_id = g.account_id
        AND u.deleted_at IS NULL
        AND coalesce(u.restored_at <= g.created_at, TRUE)
      OFFSET 0
    )
      OR (NOT g.acts_as_user AND g.code_used_at IS NOT NULL)
  )
FOR NO KEY UPDATE OF g;

-- Reads accounts, grants, installations, users.
SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.app_id AS "appID", g.user_id AS "userID",
  g.account_id AS "accountID", g.acts_as_user AS "actsAsUser", g.scopes AS "scopes",
  g.code_hash AS "codeHash", g.code_challenge AS "codeChallenge", g.redirect_uri AS "redirectURI",
  g.code_used_at AS "codeUsedAt", g.created_at AS "createdAt", g.expires_at AS "expiresAt",
  CASE WHEN g.acts_as_user THEN g.user_id ELSE i.user_id END AS "tokenUserID", i.scopes AS "installedScopes"
FROM grants g
JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
WHERE g.code_hash = $1
  AND g.app_id = $2
  AND g.expires_at > now()
  AND i.uninstalled_at IS NULL
  AND (
    EXISTS (
      SELECT u.id
      FROM users u
      CROSS JOIN LATERAL (
        SELECT
        FROM accounts a
        WHERE a.id = g.account_id
          AND a.deactivated_at IS NULL
          AND coalesce(a.verified_at <= g.created_at, TRUE)
        OFFSET 0
      ) AS account
      WHERE u.workspace_id = g.workspace_id
        AND u.id = g.user_id
        AND u.account_id = g.account_id
        AND u.deleted_at IS NULL
        AND coalesce(u.restored_at <= g.created_at, TRUE)
      OFFSET 0
    )
      OR (NOT g.acts_as_user AND g.code_used_at IS NOT NULL)
  )
FOR NO KEY UPDATE OF g;

-- Reads active_webhooks.
SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates"
FROM active_webhooks h
WHERE h.id = ANY($1::text[]);

-- Reads apps, files, users.
SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
  f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
  f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt"
FROM files f
WHERE f.workspace_id = $1
  AND f.id = $2
  AND (
    EXISTS (SELECT FROM users WHERE workspace_id = f.workspace_id AND avatar_file_id = f.id OFFSET 0)
      OR EXISTS (SELECT FROM apps WHERE workspace_id = f.workspace_id AND avatar_file_id = f.id OFFSET 0)
  )
  AND EXISTS (SELECT FROM users WHERE workspace_id = $3 AND id = $4 AND deleted_at IS NULL OFFSET 0);

-- Reads apps, installations, users, webhooks.
SELECT what, count, can_be_forced AS "canBeForced"
FROM (
  SELECT 'other people' AS what, true AS can_be_forced, count(*)::integer AS count
  FROM users
  WHERE workspace_id = $1 AND kind = 'person' AND NOT (id = ANY($2::text[]) AND email LIKE '%@example.com')
  UNION ALL
  SELECT 'other apps', true, count(*)::integer
  FROM installations
  WHERE workspace_id = $3 AND app_id <> $4 AND uninstalled_at IS NULL
  UNION ALL
  SELECT 'other webhooks', true, count(*)::integer
  FROM webhooks
  WHERE workspace_id = $5 AND id <> $6 AND deleted_at IS NULL
  UNION ALL
  SELECT 'installations of its apps in other workspaces', false, count(*)::integer
  FROM apps
  CROSS JOIN LATERAL (SELECT workspace_id FROM installations WHERE app_id = apps.id OFFSET 0) AS i
  WHERE apps.workspace_id = $7 AND i.workspace_id <> $8
) AS used
WHERE count > 0;

-- Reads apps, redirect_uris, workspaces.
SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
  a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
  a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID",
  w.name AS "managedIn", ARRAY(
  SELECT r.uri
  FROM redirect_uris r
  WHERE r.workspace_id = a.workspace_id AND r.app_id = a.id
) AS "redirectURIs"
FROM apps a
JOIN workspaces w ON w.id = a.workspace_id
WHERE a.id = $1 AND a.deleted_at IS NULL;

-- Reads apps, redirect_uris.
SELECT a.id, a.secret_hash AS "secretHash", ARRAY(
  SELECT r.uri
  FROM redirect_uris r
  WHERE r.workspace_id = a.workspace_id AND r.app_id = a.id
) AS "redirectURIs"
FROM apps a
WHERE a.id = ANY($1::text[]) AND a.deleted_at IS NULL;

-- Reads apps.
SELECT "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id"
FROM "public"."apps"
WHERE ("public"."apps"."id" = $1 AND "public"."apps"."deleted_at" IS NULL)
LIMIT $2
OFFSET $3;

-- Reads apps.
SELECT "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id"
FROM "public"."apps"
WHERE (("public"."apps"."workspace_id" = $1 AND "public"."apps"."id" = $2) AND 1=1)
LIMIT $3
OFFSET $4;

-- Reads apps.
SELECT "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id"
FROM "public"."apps"
WHERE (("public"."apps"."workspace_id" = $1 AND "public"."apps"."id" = $2))
OFFSET $3;

-- Reads apps.
SELECT id
FROM apps
WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
FOR UPDATE;

-- Reads apps.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
    a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
    a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID"
  FROM (SELECT * FROM apps WHERE deleted_at IS NULL) AS a
  WHERE a.workspace_id = $2
  ORDER BY a.created_at ASC, a.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads apps.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
    a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
    a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID"
  FROM (SELECT * FROM apps WHERE deleted_at IS NULL) AS a
  WHERE a.workspace_id = $2
  ORDER BY a.created_at DESC, a.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads apps.
SELECT workspace_id AS "workspaceID", avatar_file_id AS "avatarFileID"
FROM apps
WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
FOR UPDATE;

-- Reads grants, refresh_tokens.
SELECT workspace_id AS "workspaceID", id, app_id AS "appID"
FROM grants
WHERE app_id = $1
  AND (workspace_id, id) = (SELECT workspace_id, grant_id FROM refresh_tokens WHERE token_hash = $2);

-- Reads grants.
SELECT
FROM grants
WHERE workspace_id = $1 AND app_id = $2
ORDER BY id
FOR UPDATE;

-- Reads group_members, installations.
SELECT p.workspace_id AS "workspaceID", EXISTS (
  SELECT
  FROM group_members m
  WHERE m.workspace_id = p.workspace_id
    AND m.group_id = p.group_id
    AND m.user_id = p.user_id
    AND m.role = 'admin'
  OFFSET 0
) AS "isAdmin", EXISTS (
  SELECT
  FROM installations i
  WHERE i.workspace_id = p.workspace_id AND i.app_id = $1 AND i.uninstalled_at IS NULL
  OFFSET 0
) AS "isInstalled"
FROM unnest($2::text[], $3::text[], $4::text[]) AS p (workspace_id, group_id, user_id);

-- Reads installations, personal_access_tokens, users.
SELECT wanted.id, program.name
FROM unnest($1::text[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT u.name
  FROM installations i
  JOIN users u ON u.workspace_id = i.workspace_id AND u.id = i.user_id
  WHERE i.workspace_id = $2 AND i.app_id = wanted.id
  UNION ALL
  SELECT name
  FROM personal_access_tokens
  WHERE workspace_id = $3 AND id = wanted.id AND user_id = $4
) AS program;

-- Reads installations, users, webhooks.
SELECT u.id, app.app_id AS "appID", webhook.id AS "webhookID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS u
LEFT JOIN LATERAL (SELECT app_id FROM installations WHERE workspace_id = $3 AND user_id = u.id OFFSET 0) AS
  app ON TRUE
LEFT JOIN LATERAL (SELECT id FROM webhooks WHERE workspace_id = $4 AND user_id = u.id OFFSET 0) AS webhook ON
  TRUE;

-- Reads installations.
SELECT "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."app_workspace_id", "public"."installations"."user_id",
  "public"."installations"."scopes", "public"."installations"."installed_at",
  "public"."installations"."uninstalled_at"
FROM "public"."installations"
WHERE (
  "public"."installations"."app_workspace_id" = $1
    AND "public"."installations"."app_id" = $2
    AND "public"."installations"."uninstalled_at" IS NULL
)
ORDER BY "public"."installations"."workspace_id" ASC
OFFSET $3;

-- Reads installations.
SELECT "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."app_workspace_id", "public"."installations"."user_id",
  "public"."installations"."scopes", "public"."installations"."installed_at",
  "public"."installations"."uninstalled_at"
FROM "public"."installations"
WHERE (
  ("public"."installations"."workspace_id" = $1 AND "public"."installations"."app_id" = $2)
    AND "public"."installations"."uninstalled_at" IS NULL
)
LIMIT $3
OFFSET $4;

-- Reads installations.
SELECT "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."app_workspace_id", "public"."installations"."user_id",
  "public"."installations"."scopes", "public"."installations"."installed_at",
  "public"."installations"."uninstalled_at"
FROM "public"."installations"
WHERE (("public"."installations"."workspace_id" = $1 AND "public"."installations"."app_id" = $2) AND 1=1)
LIMIT $3
OFFSET $4;

-- Reads installations.
SELECT "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."scopes"
FROM "public"."installations"
WHERE (
  "public"."installations"."app_workspace_id" = $1
    AND "public"."installations"."app_id" = $2
    AND "public"."installations"."uninstalled_at" IS NULL
)
OFFSET $3;

-- Reads installations.
SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt"
FROM installations i
WHERE workspace_id = $1 AND app_id = $2;

-- Reads installations.
SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM installations WHERE workspace_id = $2 AND user_id = wanted.value OFFSET 0)
  AS i
WHERE i.uninstalled_at IS NULL;

-- Reads installations.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
    i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
    i.uninstalled_at AS "uninstalledAt"
  FROM (SELECT * FROM installations WHERE uninstalled_at IS NULL) AS i
  WHERE i.workspace_id = $2
  ORDER BY i.installed_at ASC, i.app_id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "installedAt" ASC, "appID" ASC;

-- Reads installations.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
    i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
    i.uninstalled_at AS "uninstalledAt"
  FROM (SELECT * FROM installations WHERE uninstalled_at IS NULL) AS i
  WHERE i.workspace_id = $2
  ORDER BY i.installed_at DESC, i.app_id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "installedAt" DESC, "appID" DESC;

-- Reads managed_apps.
SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
  a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
  a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM managed_apps
  WHERE workspace_id = $2 AND id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS a;

-- Reads managed_apps.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
    a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
    a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID"
  FROM (SELECT * FROM managed_apps WHERE viewer_id = $2) AS a
  WHERE a.workspace_id = $3
  ORDER BY a.created_at ASC, a.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads managed_apps.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
    a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
    a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID"
  FROM (SELECT * FROM managed_apps WHERE viewer_id = $2) AS a
  WHERE a.workspace_id = $3
  ORDER BY a.created_at DESC, a.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads managed_webhooks.
SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM managed_webhooks
  WHERE workspace_id = $2 AND id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS h;

-- Reads managed_webhooks.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
    h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
    h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
    h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
    h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
    h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
    h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
    h.templates AS "templates"
  FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $2) AS h
  WHERE h.workspace_id = $3
  ORDER BY h.created_at ASC, h.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads managed_webhooks.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
    h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
    h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
    h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
    h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
    h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
    h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
    h.templates AS "templates"
  FROM (SELECT * FROM managed_webhooks WHERE viewer_id = $2) AS h
  WHERE h.workspace_id = $3
  ORDER BY h.created_at DESC, h.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads redirect_uris.
SELECT app_id AS id, array_agg(uri ORDER BY uri) AS uris
FROM redirect_uris
WHERE workspace_id = $1 AND app_id = ANY($2::text[])
GROUP BY app_id;

-- Reads refresh_tokens.
SELECT token_hash
FROM refresh_tokens
WHERE workspace_id = $1 AND token_hash = $2 AND replaced_at < now() - make_interval(secs => $3);

-- Reads visible_installations.
SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM visible_installations
  WHERE workspace_id = $2 AND app_id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS i;

-- Reads visible_installations.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
    i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
    i.uninstalled_at AS "uninstalledAt"
  FROM (SELECT * FROM visible_installations WHERE viewer_id = $2) AS i
  WHERE i.workspace_id = $3
  ORDER BY i.installed_at ASC, i.app_id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "installedAt" ASC, "appID" ASC;

-- Reads visible_installations.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
    i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
    i.uninstalled_at AS "uninstalledAt"
  FROM (SELECT * FROM visible_installations WHERE viewer_id = $2) AS i
  WHERE i.workspace_id = $3
  ORDER BY i.installed_at DESC, i.app_id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "installedAt" DESC, "appID" DESC;

-- Reads webhooks.
SELECT
FROM webhooks
WHERE workspace_id = $1
ORDER BY id
FOR UPDATE;

-- Reads webhooks.
SELECT "public"."webhooks"."workspace_id", "public"."webhooks"."id", "public"."webhooks"."name",
  "public"."webhooks"."description", "public"."webhooks"."default_target"
FROM "public"."webhooks"
WHERE (("public"."webhooks"."workspace_id" = $1 AND "public"."webhooks"."id" = $2) AND 1=1)
LIMIT $3
OFFSET $4;

-- Reads webhooks.
SELECT "public"."webhooks"."workspace_id", "public"."webhooks"."id", "public"."webhooks"."signature_secret"
FROM "public"."webhooks"
WHERE ("public"."webhooks"."id" > $1 AND "public"."webhooks"."signature_secret" IS NOT NULL)
ORDER BY "public"."webhooks"."id" ASC
LIMIT $2
OFFSET $3;

-- Reads webhooks.
SELECT "public"."webhooks"."workspace_id", "public"."webhooks"."id", "public"."webhooks"."user_id",
  "public"."webhooks"."name", "public"."webhooks"."description", "public"."webhooks"."key_hash",
  "public"."webhooks"."creator_id", "public"."webhooks"."created_at", "public"."webhooks"."disabled_at",
  "public"."webhooks"."deleted_at", "public"."webhooks"."last_used_at",
  "public"."webhooks"."previous_key_hash", "public"."webhooks"."previous_key_ends_at",
  "public"."webhooks"."expires_at", "public"."webhooks"."revision", "public"."webhooks"."default_target",
  "public"."webhooks"."allowed_targets", "public"."webhooks"."format", "public"."webhooks"."resolved_calls",
  "public"."webhooks"."rest_days", "public"."webhooks"."signature_secret", "public"."webhooks"."templates"
FROM "public"."webhooks"
WHERE ("public"."webhooks"."id" = $1 AND "public"."webhooks"."deleted_at" IS NULL)
LIMIT $2
OFFSET $3;

-- Reads webhooks.
SELECT id
FROM webhooks
WHERE workspace_id = $1 AND id = $2
FOR SHARE;

-- Reads webhooks.
SELECT id
FROM webhooks
WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
FOR UPDATE;

-- Reads webhooks.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
    h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
    h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
    h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
    h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
    h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
    h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
    h.templates AS "templates"
  FROM (SELECT * FROM webhooks WHERE deleted_at IS NULL) AS h
  WHERE h.workspace_id = $2
  ORDER BY h.created_at ASC, h.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads webhooks.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
    h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
    h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
    h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
    h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
    h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
    h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
    h.templates AS "templates"
  FROM (SELECT * FROM webhooks WHERE deleted_at IS NULL) AS h
  WHERE h.workspace_id = $2
  ORDER BY h.created_at DESC, h.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Updates apps.
UPDATE "public"."apps"
SET "avatar_file_id" = $1
WHERE (("public"."apps"."workspace_id" = $2 AND "public"."apps"."id" = $3) AND 1=1)
RETURNING "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id";

-- Updates apps.
UPDATE "public"."apps"
SET "name" = $1
WHERE (("public"."apps"."workspace_id" = $2 AND "public"."apps"."id" = $3) AND 1=1)
RETURNING "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id";

-- Updates apps.
UPDATE "public"."apps"
SET "secret_hash" = $1
WHERE (("public"."apps"."workspace_id" = $2 AND "public"."apps"."id" = $3) AND 1=1)
RETURNING "public"."apps"."workspace_id", "public"."apps"."id", "public"."apps"."name",
  "public"."apps"."secret_hash", "public"."apps"."is_listed", "public"."apps"."creator_id",
  "public"."apps"."created_at", "public"."apps"."deleted_at", "public"."apps"."description",
  "public"."apps"."avatar_file_id";

-- Updates apps.
UPDATE apps a
SET deleted_at = clock_timestamp(), avatar_file_id = NULL
WHERE a.workspace_id = $1 AND a.id = $2
RETURNING a.workspace_id AS "workspaceID", a.id AS "id", a.name AS "name", a.secret_hash AS "secretHash",
  a.is_listed AS "isListed", a.creator_id AS "creatorID", a.created_at AS "createdAt",
  a.deleted_at AS "deletedAt", a.description AS "description", a.avatar_file_id AS "avatarFileID";

-- Updates grants.
UPDATE grants
SET code_used_at = coalesce(code_used_at, now()), expires_at = now() + make_interval(days => $1)
WHERE workspace_id = $2 AND id = $3;

-- Updates installations.
UPDATE "public"."installations"
SET "scopes" = $1
WHERE (("public"."installations"."workspace_id" = $2 AND "public"."installations"."app_id" = $3) AND 1=1)
RETURNING "public"."installations"."workspace_id", "public"."installations"."app_id",
  "public"."installations"."app_workspace_id", "public"."installations"."user_id",
  "public"."installations"."scopes", "public"."installations"."installed_at",
  "public"."installations"."uninstalled_at";

-- Updates installations.
UPDATE installations i
SET scopes = $1::text[], uninstalled_at = NULL, installed_at = clock_timestamp()
WHERE i.workspace_id = $2 AND i.app_id = $3
RETURNING i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt";

-- Updates installations.
UPDATE installations i
SET uninstalled_at = clock_timestamp()
WHERE i.app_workspace_id = $1 AND i.app_id = $2 AND i.uninstalled_at IS NULL
RETURNING i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt";

-- Updates installations.
UPDATE installations i
SET uninstalled_at = clock_timestamp()
WHERE i.workspace_id = $1 AND i.app_id = $2 AND i.uninstalled_at IS NULL
RETURNING i.workspace_id AS "workspaceID", i.app_id AS "appID", i.app_workspace_id AS "appWorkspaceID",
  i.user_id AS "userID", i.scopes AS "scopes", i.installed_at AS "installedAt",
  i.uninstalled_at AS "uninstalledAt";

-- Updates refresh_tokens. Reads refresh_tokens.
UPDATE refresh_tokens
SET successor_salt = NULL
WHERE (workspace_id, token_hash) IN (
  SELECT workspace_id, token_hash
  FROM refresh_tokens
  WHERE successor_salt IS NOT NULL AND replaced_at < now() - make_interval(secs => $1)
  FOR NO KEY UPDATE SKIP LOCKED
);

-- Updates refresh_tokens. Reads refresh_tokens.
WITH ended AS (
  UPDATE refresh_tokens t
  SET replaced_at = least(t.replaced_at, now() - interval '1 hour'), successor_salt = NULL
  FROM refresh_tokens used
  WHERE used.workspace_id = $1
    AND used.token_hash = $2
    AND used.replaced_at IS NULL
    AND t.workspace_id = $3
    AND t.grant_id = $4
    AND t.token_hash <> $5
    AND (t.replaced_at IS NULL OR t.replaced_at > now() - interval '1 hour' OR t.successor_salt IS NOT NULL)
)
UPDATE refresh_tokens
SET replaced_at = coalesce(replaced_at, now()), successor_salt = coalesce(successor_salt, $6)
WHERE workspace_id = $7 AND token_hash = $8
RETURNING successor_salt AS salt;

-- Updates webhooks.
UPDATE webhooks h
SET deleted_at = clock_timestamp()
WHERE h.workspace_id = $1 AND h.id = $2 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET disabled_at = NULL
WHERE h.workspace_id = $1 AND h.id = $2 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET disabled_at = clock_timestamp()
WHERE h.workspace_id = $1 AND h.id = $2 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET key_hash = $1, previous_key_hash = NULL, previous_key_ends_at = NULL
WHERE h.workspace_id = $2 AND h.id = $3 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET key_hash = $1, previous_key_hash = h.key_hash,
  previous_key_ends_at = clock_timestamp() + make_interval(hours => $2)
WHERE h.workspace_id = $3 AND h.id = $4 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET name = coalesce($1, h.name), description = CASE WHEN $2::boolean THEN $3::text ELSE h.description END,
  expires_at = CASE WHEN $4::boolean THEN $5::timestamptz ELSE h.expires_at END,
  default_target = CASE WHEN $6::boolean THEN $7::text ELSE h.default_target END,
  allowed_targets = CASE WHEN $8::boolean THEN $9::text[] ELSE h.allowed_targets END,
  format = CASE WHEN $10::boolean THEN $11::text ELSE h.format END,
  resolved_calls = CASE WHEN $12::boolean THEN $13::boolean ELSE h.resolved_calls END,
  rest_days = CASE WHEN $14::boolean THEN $15::integer ELSE h.rest_days END,
  signature_secret = CASE WHEN $16::boolean THEN $17::bytea ELSE h.signature_secret END,
  templates = CASE WHEN $18::boolean THEN $19::jsonb ELSE h.templates END, revision = h.revision + 1
WHERE h.workspace_id = $20 AND h.id = $21 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";

-- Updates webhooks.
UPDATE webhooks h
SET previous_key_hash = NULL, previous_key_ends_at = NULL
WHERE h.workspace_id = $1 AND h.id = $2 AND h.deleted_at IS NULL
RETURNING h.workspace_id AS "workspaceID", h.id AS "id", h.user_id AS "userID", h.name AS "name",
  h.description AS "description", h.key_hash AS "keyHash", h.creator_id AS "creatorID",
  h.created_at AS "createdAt", h.disabled_at AS "disabledAt", h.deleted_at AS "deletedAt",
  h.last_used_at AS "lastUsedAt", h.previous_key_hash AS "previousKeyHash",
  h.previous_key_ends_at AS "previousKeyEndsAt", h.expires_at AS "expiresAt", h.revision AS "revision",
  h.default_target AS "defaultTarget", h.allowed_targets AS "allowedTargets", h.format AS "format",
  h.resolved_calls AS "resolvedCalls", h.rest_days AS "restDays", h.signature_secret AS "signatureSecret",
  h.templates AS "templates";
