-- When the owner of the address first proved it. Tokens and grants from before do not work, because somebody else may
-- have created them.
ALTER TABLE accounts ADD COLUMN verified_at timestamptz(3);

-- The account that created the token. If another account becomes the person, the token no longer works.
ALTER TABLE personal_access_tokens ADD COLUMN account_id text COLLATE "C";

UPDATE personal_access_tokens p SET account_id = u.account_id FROM users u
WHERE u.workspace_id = p.workspace_id AND u.id = p.user_id;
