-- How many bytes the files of a workspace have. A workspace gets its row with the first upload that a quota is checked
-- for; from then on each statement that writes or deletes files counts here, whatever the setting. Without a quota there
-- are no rows, and uploads to one workspace do not wait for each other.
CREATE TABLE workspace_storage (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
  used_bytes bigint NOT NULL CHECK (used_bytes >= 0)
);
