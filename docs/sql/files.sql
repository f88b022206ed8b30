-- Deletes from upload_tickets. Reads upload_tickets.
DELETE FROM upload_tickets
WHERE (workspace_id, id) IN (
  SELECT workspace_id, id
  FROM upload_tickets
  WHERE expires_at < now() - interval '1 day'
  FOR UPDATE SKIP LOCKED
);

-- Inserts into contents.
INSERT INTO contents AS c (sha256, sweep_at)
VALUES ($1, now() + make_interval(hours => $2::integer))
ON CONFLICT (sha256) DO UPDATE
SET sweep_at = greatest(c.sweep_at, excluded.sweep_at);

-- Inserts into files. Updates workspace_storage.
WITH counted AS (
  UPDATE workspace_storage
  SET used_bytes = used_bytes + $1::bigint
  WHERE workspace_id = $2 AND ($3::bigint IS NULL OR used_bytes + $4::bigint <= $5::bigint)
  RETURNING workspace_id
)
INSERT INTO files AS f
  (workspace_id, id, uploader_id, name, size_bytes, md5, sha256, content_type, width, height, sweep_at)
SELECT $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, now() + make_interval(secs => $16::integer)
WHERE $17::bigint IS NULL OR EXISTS (SELECT FROM counted)
RETURNING f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
  f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
  f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt";

-- Inserts into files. Updates workspace_storage. Reads files.
WITH copied AS (
  INSERT INTO files
    (workspace_id, id, uploader_id, name, size_bytes, md5, sha256, content_type, width, height)
  SELECT $1, $2, $3, name, size_bytes, md5, sha256, content_type, width, height
  FROM files
  WHERE workspace_id = $4 AND id = $5
  RETURNING id, size_bytes
), counted AS (
  UPDATE workspace_storage
  SET used_bytes = used_bytes + (SELECT size_bytes FROM copied)
  WHERE workspace_id = $6 AND EXISTS (SELECT FROM copied)
)
SELECT id
FROM copied;

-- Inserts into upload_tickets.
INSERT INTO upload_tickets AS t (workspace_id, id, uploader_id, name, size_bytes, md5, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::integer))
RETURNING t.workspace_id AS "workspaceID", t.id AS "id", t.uploader_id AS "uploaderID", t.name AS "name",
  t.size_bytes AS "sizeBytes", t.md5 AS "md5", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
  t.claimed_at AS "claimedAt", t.file_id AS "fileID";

-- Reads contents, files.
SELECT c.sha256, ARRAY(SELECT f.id FROM files f WHERE f.sha256 = c.sha256 LIMIT 10) AS "fileIDs"
FROM contents c
WHERE c.sha256 > $1 AND EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 OFFSET 0)
ORDER BY c.sha256
LIMIT $2::integer;

-- Reads contents.
SELECT sha256
FROM contents
WHERE sweep_at < now()
ORDER BY sweep_at
LIMIT $1::integer;

-- Reads files, upload_tickets.
SELECT f.workspace_id AS "workspaceID", f.id AS "id", f.uploader_id AS "uploaderID", f.name AS "name",
  f.size_bytes AS "sizeBytes", f.md5 AS "md5", f.sha256 AS "sha256", f.content_type AS "contentType",
  f.width AS "width", f.height AS "height", f.created_at AS "createdAt", now() AS "readAt"
FROM upload_tickets t
LEFT JOIN files f ON f.workspace_id = t.workspace_id AND f.id = t.file_id
WHERE t.workspace_id = $1 AND t.id = $2 AND t.uploader_id = $3;

-- Reads files.
SELECT "public"."files"."workspace_id", "public"."files"."id"
FROM "public"."files"
WHERE (
  "public"."files"."workspace_id" = $1
    AND "public"."files"."id" IN ($2)
    AND "public"."files"."uploader_id" = $3
)
OFFSET $4;

-- Reads files.
SELECT content_type AS "contentType", size_bytes AS "sizeBytes", width, height
FROM files
WHERE workspace_id = $1 AND id = $2 AND uploader_id = $3
FOR KEY SHARE;

-- Reads files.
SELECT workspace_id AS "workspaceID", id
FROM files
WHERE sweep_at < now()
ORDER BY sweep_at
LIMIT $1::integer
FOR UPDATE SKIP LOCKED;

-- Updates upload_tickets.
UPDATE "public"."upload_tickets"
SET "file_id" = $1
WHERE (
  "public"."upload_tickets"."workspace_id" = $2
    AND "public"."upload_tickets"."id" = $3
    AND "public"."upload_tickets"."file_id" IS NULL
);

-- Updates upload_tickets. Reads users.
UPDATE upload_tickets t
SET claimed_at = clock_timestamp()
FROM users u
WHERE t.workspace_id = $1
  AND t.id = $2
  AND t.claimed_at IS NULL
  AND t.expires_at > now()
  AND u.workspace_id = $3
  AND u.id = t.uploader_id
  AND u.deleted_at IS NULL
RETURNING t.workspace_id AS "workspaceID", t.id AS "id", t.uploader_id AS "uploaderID", t.name AS "name",
  t.size_bytes AS "sizeBytes", t.md5 AS "md5", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
  t.claimed_at AS "claimedAt", t.file_id AS "fileID";
