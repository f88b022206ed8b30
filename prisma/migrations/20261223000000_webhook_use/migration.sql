-- When the webhook last posted a message or uploaded a file. Null for webhooks that were not used since this migration:
-- no index finds the messages of an author.
ALTER TABLE webhooks ADD COLUMN last_used_at timestamptz(3);

CREATE OR REPLACE VIEW active_webhooks AS
SELECT * FROM webhooks WHERE disabled_at IS NULL AND deleted_at IS NULL;

CREATE OR REPLACE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.*
FROM users viewer JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR h.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks OFFSET 0));
