-- Inserts into former_members. Reads group_members.
INSERT INTO former_members (workspace_id, user_id, group_id)
SELECT workspace_id, user_id, group_id
FROM group_members
WHERE workspace_id = $1 AND user_id = $2 AND group_id <> $3
ON CONFLICT DO NOTHING;

-- Inserts into group_members.
INSERT INTO "public"."group_members" ("workspace_id", "group_id", "user_id", "role", "is_muted")
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING;

-- Inserts into group_members.
INSERT INTO "public"."group_members" ("workspace_id", "group_id", "user_id", "role", "is_muted")
VALUES ($1, $2, $3, $4, $5)
RETURNING "public"."group_members"."workspace_id", "public"."group_members"."group_id",
  "public"."group_members"."user_id", "public"."group_members"."role", "public"."group_members"."joined_at",
  "public"."group_members"."is_muted";

-- Inserts into group_members. Deletes from former_members. Reads groups.
WITH former AS MATERIALIZED (
  DELETE FROM former_members
  WHERE workspace_id = $1 AND user_id = $2
  RETURNING group_id
), target AS MATERIALIZED (
  SELECT g.id
  FROM (SELECT group_id FROM former ORDER BY group_id) AS f
  CROSS JOIN LATERAL (
    SELECT id
    FROM groups
    WHERE workspace_id = $3 AND id = f.group_id AND NOT is_private
    FOR SHARE
  ) AS g
)
INSERT INTO group_members (workspace_id, group_id, user_id)
SELECT $4, id, $5
FROM target
ON CONFLICT DO NOTHING
RETURNING group_id AS "groupID";

-- Inserts into group_members. Reads groups.
WITH target AS MATERIALIZED (SELECT g.id FROM groups g WHERE g.workspace_id = $1 AND g.id = $2 FOR SHARE),
  added AS (
  INSERT INTO group_members (workspace_id, group_id, user_id)
  SELECT $3, target.id, wanted.user_id
  FROM target
  CROSS JOIN unnest($4::text[]) AS wanted (user_id)
  ON CONFLICT DO NOTHING
  RETURNING user_id
)
SELECT ARRAY(SELECT user_id FROM added ORDER BY user_id) AS added
FROM target;

-- Inserts into group_members. Reads visible_groups.
WITH target AS MATERIALIZED (
  SELECT g.id
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $1) AS g
  WHERE g.workspace_id = $2 AND g.id = $3
  FOR SHARE
), added AS (
  INSERT INTO group_members (workspace_id, group_id, user_id)
  SELECT $4, target.id, wanted.user_id
  FROM target
  CROSS JOIN unnest($5::text[]) AS wanted (user_id)
  ON CONFLICT DO NOTHING
  RETURNING user_id
)
SELECT ARRAY(SELECT user_id FROM added ORDER BY user_id) AS added
FROM target;

-- Inserts into groups.
INSERT INTO "public"."groups" ("workspace_id", "id", "name", "description", "is_private")
VALUES ($1, $2, $3, $4, $5)
RETURNING "public"."groups"."workspace_id", "public"."groups"."id", "public"."groups"."name",
  "public"."groups"."description", "public"."groups"."is_private", "public"."groups"."created_at";

-- Inserts into groups.
INSERT INTO "public"."groups" ("workspace_id", "id", "name", "is_private")
VALUES ($1, $2, $3, $4)
RETURNING "public"."groups"."workspace_id", "public"."groups"."id", "public"."groups"."name",
  "public"."groups"."description", "public"."groups"."is_private", "public"."groups"."created_at";

-- Reads group_admins, group_members.
SELECT wanted.value AS id, mine.role, coalesce(mine.is_muted, FALSE) AS "isMuted", EXISTS (
  SELECT
  FROM group_admins
  WHERE workspace_id = $1 AND group_id = wanted.value AND user_id = $2
  OFFSET 0
) AS "isAdmin"
FROM unnest($3::text[]) AS wanted (value)
LEFT JOIN LATERAL (
  SELECT role, is_muted
  FROM group_members
  WHERE workspace_id = $4 AND group_id = wanted.value AND user_id = $5
  OFFSET 0
) AS mine ON TRUE;

-- Reads group_members, groups.
SELECT g.id
FROM (
  SELECT group_id
  FROM group_members
  WHERE workspace_id = $1 AND user_id = $2 AND group_id <> $3
  ORDER BY group_id
) AS own
CROSS JOIN LATERAL (SELECT id FROM groups WHERE workspace_id = $4 AND id = own.group_id FOR NO KEY UPDATE) AS
  g;

-- Reads group_members, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", m.role, m.joined_at AS "joinedAt"
  FROM group_members m
  JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.user_id
  WHERE m.workspace_id = $2 AND m.group_id = parent.id
  ORDER BY m.joined_at ASC, m.user_id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "joinedAt" ASC, "id" ASC;

-- Reads group_members, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", m.role, m.joined_at AS "joinedAt"
  FROM group_members m
  JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.user_id
  WHERE m.workspace_id = $2 AND m.group_id = parent.id
  ORDER BY m.joined_at DESC, m.user_id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "joinedAt" DESC, "id" DESC;

-- Reads group_members, users.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name",
    u.email AS "email", u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
    u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", m.role, m.joined_at AS "joinedAt"
  FROM group_members m
  JOIN users u ON u.workspace_id = m.workspace_id AND u.id = m.user_id
  WHERE m.workspace_id = $2 AND m.group_id = parent.id
  ORDER BY m.joined_at ASC, m.user_id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "joinedAt" ASC, "id" ASC;

-- Reads group_members, users.
SELECT u.workspace_id AS "workspaceID", u.id AS "id", u.kind AS "kind", u.name AS "name", u.email AS "email",
  u.account_id AS "accountID", u.created_at AS "createdAt", u.deleted_at AS "deletedAt",
  u.restored_at AS "restoredAt", u.avatar_file_id AS "avatarFileID", m.role, m.joined_at AS "joinedAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM group_members
  WHERE workspace_id = $2 AND group_id = $3 AND user_id = wanted.value
  OFFSET 0
) AS m
CROSS JOIN LATERAL (SELECT * FROM users WHERE workspace_id = $4 AND id = wanted.value OFFSET 0) AS u
ORDER BY m.joined_at, m.user_id;

-- Reads group_members, visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM group_members m
  JOIN (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g ON g.workspace_id = m.workspace_id
    AND g.id = m.group_id
  WHERE m.workspace_id = $3 AND m.user_id = parent.id
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads group_members, visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM group_members m
  JOIN (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g ON g.workspace_id = m.workspace_id
    AND g.id = m.group_id
  WHERE m.workspace_id = $3 AND m.user_id = parent.id
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads group_members, visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM unnest($1::text[]) WITH ORDINALITY AS parent (id, number)
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM group_members m
  JOIN (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g ON g.workspace_id = m.workspace_id
    AND g.id = m.group_id
  WHERE m.workspace_id = $3 AND m.user_id = parent.id
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads group_members.
SELECT "public"."group_members"."workspace_id", "public"."group_members"."group_id",
  "public"."group_members"."user_id"
FROM "public"."group_members"
WHERE (
  "public"."group_members"."workspace_id" = $1
    AND "public"."group_members"."group_id" = $2
    AND "public"."group_members"."role" = $3
)
OFFSET $4;

-- Reads group_members.
SELECT user_id AS "userID"
FROM group_members
WHERE workspace_id = $1 AND group_id = $2 AND role = 'admin' AND user_id <> $3
LIMIT 1;

-- Reads group_members.
SELECT wanted.value AS id, (
  SELECT count(*)
  FROM group_members m
  WHERE m.workspace_id = $1 AND m.group_id = wanted.value
)::integer AS count
FROM unnest($2::text[]) AS wanted (value);

-- Reads groups.
SELECT "public"."groups"."workspace_id", "public"."groups"."id"
FROM "public"."groups"
WHERE "public"."groups"."id" = $1
LIMIT $2
OFFSET $3;

-- Reads groups.
SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
  g.is_private AS "isPrivate", g.created_at AS "createdAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (SELECT * FROM groups WHERE workspace_id = $2 AND id = wanted.value OFFSET 0) AS g;

-- Reads groups.
SELECT id
FROM groups
WHERE workspace_id = $1 AND id = $2
FOR NO KEY UPDATE;

-- Reads groups.
SELECT id, name AS text
FROM groups
WHERE workspace_id = $1 AND folded_name IS NULL AND name IS NOT NULL
ORDER BY id
LIMIT 1000;

-- Reads groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM groups g
  WHERE g.workspace_id = $2 AND TRUE
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM groups g
  WHERE g.workspace_id = $2 AND TRUE
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $3
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads visible_groups.
SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
  g.is_private AS "isPrivate", g.created_at AS "createdAt"
FROM unnest($1::text[]) AS wanted (value)
CROSS JOIN LATERAL (
  SELECT *
  FROM visible_groups
  WHERE workspace_id = $2 AND id = wanted.value AND viewer_id = $3
  OFFSET 0
) AS g;

-- Reads visible_groups.
SELECT pair.user_id AS "userID", pair.id
FROM unnest($1::text[], $2::text[]) AS pair (user_id, id)
WHERE EXISTS (
  SELECT
  FROM visible_groups
  WHERE viewer_id = pair.user_id AND workspace_id = $3 AND id = pair.id
  OFFSET 0
);

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3
    AND TRUE
    AND (g.created_at, g.id) < (CAST($4 AS timestamptz(3)), CAST($5 AS text))
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $6
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3
    AND TRUE
    AND (g.created_at, g.id) > (CAST($4 AS timestamptz(3)), CAST($5 AS text))
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $6
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3
    AND TRUE
    AND strpos(g.folded_name, $4) > 0
    AND (g.created_at, g.id) < (CAST($5 AS timestamptz(3)), CAST($6 AS text))
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3
    AND TRUE
    AND strpos(g.folded_name, $4) > 0
    AND (g.created_at, g.id) > (CAST($5 AS timestamptz(3)), CAST($6 AS text))
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $7
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3 AND TRUE
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3 AND TRUE
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $4
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3 AND TRUE AND strpos(g.folded_name, $4) > 0
  ORDER BY g.created_at ASC, g.id ASC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" ASC, "id" ASC;

-- Reads visible_groups.
SELECT parent.number::integer AS "parentNumber", page.*
FROM (SELECT $1::text AS id, 1 AS number) AS parent
CROSS JOIN LATERAL (
  SELECT g.workspace_id AS "workspaceID", g.id AS "id", g.name AS "name", g.description AS "description",
    g.is_private AS "isPrivate", g.created_at AS "createdAt"
  FROM (SELECT * FROM visible_groups WHERE viewer_id = $2) AS g
  WHERE g.workspace_id = $3 AND TRUE AND strpos(g.folded_name, $4) > 0
  ORDER BY g.created_at DESC, g.id DESC
  LIMIT $5
) AS page
ORDER BY parent.number, "createdAt" DESC, "id" DESC;

-- Updates group_members.
UPDATE "public"."group_members"
SET "is_muted" = $1
WHERE (
  "public"."group_members"."workspace_id" = $2
    AND "public"."group_members"."group_id" = $3
    AND "public"."group_members"."user_id" = $4
);

-- Updates group_members.
UPDATE "public"."group_members"
SET "role" = $1
WHERE (
  "public"."group_members"."workspace_id" = $2
    AND "public"."group_members"."group_id" = $3
    AND "public"."group_members"."user_id" = $4
);

-- Updates group_members. Deletes from group_members. Reads group_members, users.
WITH ended AS (
  DELETE FROM group_members
  WHERE workspace_id = $1 AND group_id = ANY ($2::text[]) AND user_id = ANY ($3::text[])
  RETURNING group_id, user_id, role
), group_without_admin AS (
  SELECT DISTINCT ended.group_id
  FROM ended
  WHERE ended.role = 'admin'
    AND ended.group_id <> $4
    AND NOT EXISTS (
      SELECT
      FROM group_members other
      WHERE other.workspace_id = $5
        AND other.group_id = ended.group_id
        AND other.role = 'admin'
        AND other.user_id <> ALL ($6::text[])
    )
), new_admin AS (
  SELECT next.*
  FROM group_without_admin
  CROSS JOIN LATERAL (
    SELECT m.group_id, m.user_id
    FROM group_members m
    CROSS JOIN LATERAL (SELECT kind FROM users WHERE workspace_id = $7 AND id = m.user_id OFFSET 0) AS u
    WHERE m.workspace_id = $8
      AND m.group_id = group_without_admin.group_id
      AND m.user_id <> ALL ($9::text[])
      AND u.kind <> 'webhook'
    ORDER BY u.kind <> 'person', m.joined_at, m.user_id
    LIMIT 1
  ) AS next
), promoted AS (
  UPDATE group_members m
  SET role = 'admin'
  FROM new_admin
  WHERE m.workspace_id = $10 AND m.group_id = new_admin.group_id AND m.user_id = new_admin.user_id
  RETURNING m.group_id, m.user_id
)
SELECT group_id AS "groupID", array_agg(user_id ORDER BY user_id) AS ended, (
  SELECT user_id
  FROM promoted
  WHERE promoted.group_id = ended.group_id
) AS "promotedID"
FROM ended
GROUP BY group_id
ORDER BY group_id;

-- Updates groups.
UPDATE "public"."groups"
SET "name" = $1
WHERE (("public"."groups"."workspace_id" = $2 AND "public"."groups"."id" = $3) AND 1=1)
RETURNING "public"."groups"."workspace_id", "public"."groups"."id", "public"."groups"."name",
  "public"."groups"."description", "public"."groups"."is_private", "public"."groups"."created_at";

-- Updates groups. Reads groups.
WITH locked AS MATERIALIZED (
  SELECT r.id, f.folded
  FROM unnest($1::text[], $2::text[], $3::text[]) AS f (id, text, folded)
  CROSS JOIN LATERAL (
    SELECT id
    FROM groups
    WHERE workspace_id = $4 AND id = f.id AND name = f.text
    FOR NO KEY UPDATE
  ) AS r
)
UPDATE groups t
SET folded_name = locked.folded
FROM locked
WHERE t.workspace_id = $5 AND t.id = locked.id;
