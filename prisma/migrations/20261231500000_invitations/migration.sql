-- An invitation names the person who is invited, and who invited them: nobody, if it was the operator. A person has at
-- most one invitation to their workspace. A process of the previous release inserts invitations without a person. They
-- work, but they are not listed.
ALTER TABLE sign_in_links
  ADD COLUMN user_id text COLLATE "C",
  ADD COLUMN inviter_id text COLLATE "C",
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN revoked_at timestamptz(3),
  ADD FOREIGN KEY (workspace_id, user_id) REFERENCES users,
  ADD FOREIGN KEY (workspace_id, inviter_id) REFERENCES users,
  ADD CONSTRAINT only_invitations_have_people CHECK (
    workspace_id IS NOT NULL OR user_id IS NULL AND inviter_id IS NULL AND revoked_at IS NULL);

UPDATE sign_in_links SET created_at = expires_at - interval '7 days' WHERE workspace_id IS NOT NULL;
UPDATE sign_in_links l SET user_id = u.id FROM users u
WHERE u.workspace_id = l.workspace_id AND lower(u.email) = l.email AND u.kind = 'person' AND u.deleted_at IS NULL
  AND NOT EXISTS (
    SELECT FROM sign_in_links newer
    WHERE newer.workspace_id = l.workspace_id AND newer.email = l.email
      AND (newer.expires_at, newer.code_hash) > (l.expires_at, l.code_hash));

CREATE UNIQUE INDEX one_invitation_per_person ON sign_in_links (workspace_id, user_id);
CREATE INDEX sign_in_links_invitations ON sign_in_links (workspace_id, created_at, user_id)
  WHERE user_id IS NOT NULL AND revoked_at IS NULL;

-- When links that sign in a person were mailed at the request of an admin, at most the last three times.
ALTER TABLE users ADD COLUMN links_mailed_at timestamptz(3)[] NOT NULL DEFAULT '{}';
