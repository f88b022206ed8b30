-- What the managers of a webhook have set. After a rotation, the previous key works until previous_key_ends_at. Each
-- change of the other settings increases revision, because processes cache them: the statement that writes a message
-- refuses a caller with another revision. Targets are IDs of groups and threads of the workspace, which are never deleted.
ALTER TABLE webhooks
  ADD COLUMN previous_key_hash bytea CHECK (octet_length(previous_key_hash) = 32),
  ADD COLUMN previous_key_ends_at timestamptz(3),
  ADD COLUMN expires_at timestamptz(3),
  ADD COLUMN revision integer NOT NULL DEFAULT 0,
  ADD COLUMN default_target text COLLATE "C",
  ADD COLUMN allowed_targets text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN format text COLLATE "C" CHECK (format IN ('alertmanager', 'grafana', 'json', 'slack')),
  ADD COLUMN resolved_calls boolean NOT NULL DEFAULT false,
  ADD COLUMN rest_days integer CHECK (rest_days BETWEEN 1 AND 365),
  ADD CONSTRAINT previous_key_ends CHECK ((previous_key_hash IS NULL) = (previous_key_ends_at IS NULL));

-- A view lists the columns that its tables had when it was created.
CREATE OR REPLACE VIEW active_webhooks AS
SELECT workspace_id, id, user_id, name, description, key_hash, created_at, disabled_at, deleted_at, creator_id,
  last_used_at, CASE WHEN previous_key_ends_at > now() THEN previous_key_hash END AS previous_key_hash,
  previous_key_ends_at, expires_at, revision, default_target, allowed_targets, format, resolved_calls, rest_days
FROM webhooks
WHERE disabled_at IS NULL AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now());
COMMENT ON VIEW active_webhooks IS
  'Webhooks that can post. Disabled, deleted and expired webhooks cannot. A previous key that has ended is null.';

CREATE OR REPLACE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.*
FROM users viewer JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR h.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks OFFSET 0));
