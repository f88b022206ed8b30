ALTER TABLE apps ADD COLUMN description text;

CREATE OR REPLACE VIEW managed_apps AS
SELECT viewer.id AS viewer_id, a.*
FROM users viewer JOIN apps a ON a.workspace_id = viewer.workspace_id
WHERE a.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR a.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_apps OFFSET 0));
