-- An address signs in as one person of a workspace: the person with the account, or else the oldest one. The others could
-- never sign in with it. They lose the address, and an admin can give them another one.
UPDATE users SET email = NULL FROM (
  SELECT workspace_id, id,
    row_number() OVER (PARTITION BY workspace_id, lower(email) ORDER BY account_id IS NULL, created_at, id) AS number
  FROM users WHERE deleted_at IS NULL AND email IS NOT NULL
) AS ranked
WHERE ranked.number > 1 AND users.workspace_id = ranked.workspace_id AND users.id = ranked.id;

CREATE UNIQUE INDEX one_person_per_email ON users (workspace_id, lower(email)) WHERE deleted_at IS NULL AND email IS NOT NULL;
-- The unique index also serves the look-ups by address.
DROP INDEX users_email;
