-- The picture of a user or an app is a file of the same workspace. The user of an app has a file of its own in each other
-- workspace, because a row cannot refer to another workspace.
ALTER TABLE users
  ADD COLUMN avatar_file_id text COLLATE "C",
  ADD FOREIGN KEY (workspace_id, avatar_file_id) REFERENCES files;
ALTER TABLE apps
  ADD COLUMN avatar_file_id text COLLATE "C",
  ADD FOREIGN KEY (workspace_id, avatar_file_id) REFERENCES files;
CREATE INDEX users_avatars ON users (workspace_id, avatar_file_id) WHERE avatar_file_id IS NOT NULL;
CREATE INDEX apps_avatars ON apps (workspace_id, avatar_file_id) WHERE avatar_file_id IS NOT NULL;

CREATE OR REPLACE VIEW managed_apps AS
SELECT viewer.id AS viewer_id, a.*
FROM users viewer JOIN apps a ON a.workspace_id = viewer.workspace_id
WHERE a.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR a.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_apps OFFSET 0));

-- The next sweep deletes a picture that was replaced or removed, unless the file has another use.
CREATE FUNCTION sweep_former_avatar() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE files SET sweep_at = now() WHERE workspace_id = OLD.workspace_id AND id = OLD.avatar_file_id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_changed_avatar AFTER UPDATE OF avatar_file_id ON users
  FOR EACH ROW WHEN (OLD.avatar_file_id IS DISTINCT FROM NEW.avatar_file_id AND OLD.avatar_file_id IS NOT NULL)
  EXECUTE FUNCTION sweep_former_avatar();
CREATE TRIGGER apps_changed_avatar AFTER UPDATE OF avatar_file_id ON apps
  FOR EACH ROW WHEN (OLD.avatar_file_id IS DISTINCT FROM NEW.avatar_file_id AND OLD.avatar_file_id IS NOT NULL)
  EXECUTE FUNCTION sweep_former_avatar();
