-- When an admin leaves, the others are looked for, also in groups of very many members.
CREATE INDEX group_members_admins ON group_members (workspace_id, group_id, user_id) WHERE role = 'admin';

-- Whoever is deleted leaves all groups, and so did not who was added at the very moment.
DELETE FROM group_members m USING users u
  WHERE u.workspace_id = m.workspace_id AND u.id = m.user_id AND u.deleted_at IS NOT NULL;
