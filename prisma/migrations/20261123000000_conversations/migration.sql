-- An admin of the General group is an admin of the workspace.
ALTER TABLE group_members ADD COLUMN role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member'));
