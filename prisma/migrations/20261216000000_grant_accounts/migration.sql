-- The account that consented. If another account becomes the person, the tokens of the grant no longer work.
ALTER TABLE grants ADD COLUMN account_id text COLLATE "C";

UPDATE grants g SET account_id = u.account_id FROM users u WHERE u.workspace_id = g.workspace_id AND u.id = g.user_id;
