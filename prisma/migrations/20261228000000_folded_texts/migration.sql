-- Names and subjects as searches compare them. SQL cannot fold a text. Therefore the service fills a column before a search
-- reads it, and a trigger empties it when the text changes, also if a process of the previous version changes it.
ALTER TABLE users ADD COLUMN folded_name text COLLATE "C";
ALTER TABLE groups ADD COLUMN folded_name text COLLATE "C";
ALTER TABLE threads ADD COLUMN folded_subject text COLLATE "C";

CREATE INDEX users_to_fold ON users (workspace_id, id) WHERE folded_name IS NULL;
CREATE INDEX groups_to_fold ON groups (workspace_id, id) WHERE folded_name IS NULL;
CREATE INDEX threads_to_fold ON threads (workspace_id, id) WHERE folded_subject IS NULL AND subject IS NOT NULL;

CREATE FUNCTION empty_folded_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_name := NULL;
  RETURN NEW;
END $$;
CREATE FUNCTION empty_folded_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_subject := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER users_renamed BEFORE UPDATE OF name ON users
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION empty_folded_name();
CREATE TRIGGER groups_renamed BEFORE UPDATE OF name ON groups
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION empty_folded_name();
CREATE TRIGGER threads_renamed BEFORE UPDATE OF subject ON threads
  FOR EACH ROW WHEN (NEW.subject IS DISTINCT FROM OLD.subject) EXECUTE FUNCTION empty_folded_subject();

-- The view also has the new column.
CREATE OR REPLACE VIEW visible_groups AS
SELECT viewer.id AS viewer_id, g.*
FROM users viewer JOIN groups g ON g.workspace_id = viewer.workspace_id
WHERE NOT g.is_private OR EXISTS (
  SELECT FROM group_members m
  WHERE m.workspace_id = g.workspace_id AND m.group_id = g.id AND m.user_id = viewer.id OFFSET 0);
