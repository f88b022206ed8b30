-- Whether members can create apps and webhooks. Admins always can.
ALTER TABLE workspaces
  ADD COLUMN members_may_create_apps boolean NOT NULL DEFAULT false,
  ADD COLUMN members_may_create_webhooks boolean NOT NULL DEFAULT false;

-- The user who created the app or webhook. Null if it was the operator.
ALTER TABLE apps
  ADD COLUMN creator_id text COLLATE "C",
  ADD FOREIGN KEY (workspace_id, creator_id) REFERENCES users (workspace_id, id);
ALTER TABLE webhooks
  ADD COLUMN creator_id text COLLATE "C",
  ADD FOREIGN KEY (workspace_id, creator_id) REFERENCES users (workspace_id, id);

CREATE OR REPLACE VIEW active_webhooks AS
SELECT * FROM webhooks WHERE disabled_at IS NULL AND deleted_at IS NULL;

-- The viewer manages the apps of the workspace as an admin, and their own apps while members may create apps. An admin
-- of the workspace is an admin of its General group.
CREATE VIEW managed_apps AS
SELECT viewer.id AS viewer_id, a.*
FROM users viewer JOIN apps a ON a.workspace_id = viewer.workspace_id
WHERE a.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR a.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_apps OFFSET 0));

-- The same for webhooks.
CREATE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.*
FROM users viewer JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR h.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks OFFSET 0));

-- Admins see all installations in their workspace. Other users see those of the apps that they manage.
CREATE VIEW visible_installations AS
SELECT viewer.id AS viewer_id, i.*
FROM users viewer JOIN installations i ON i.workspace_id = viewer.workspace_id
WHERE i.uninstalled_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR EXISTS (
    SELECT FROM managed_apps a
    WHERE a.viewer_id = viewer.id AND a.workspace_id = viewer.workspace_id
      AND a.workspace_id = i.app_workspace_id AND a.id = i.app_id OFFSET 0));
