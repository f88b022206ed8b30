-- An account is an email address that signs in. It belongs to no workspace: in each workspace it is at most one person.
CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  -- Whether a link that was sent to the address, the operator or a provider has proven that the address is theirs.
  is_verified boolean NOT NULL DEFAULT false,
  password_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deactivated_at timestamptz(3)
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX sessions_account ON sessions (account_id, created_at, id);
CREATE INDEX sessions_last_used ON sessions (last_used_at);

-- A link is deleted when it is used. Without a workspace, it signs in whoever owns the address. With a workspace, it is
-- an invitation to it.
CREATE TABLE sign_in_links (
  code_hash bytea PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)),
  workspace_id text COLLATE "C" REFERENCES workspaces,
  -- Whether whoever has the link owns the address. An invitation that an admin copies does not prove it.
  proves_email boolean NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

ALTER TABLE users ADD COLUMN account_id text COLLATE "C" REFERENCES accounts;
CREATE UNIQUE INDEX users_account ON users (account_id, workspace_id) WHERE account_id IS NOT NULL;
-- Whoever signs in for the first time is linked to their people in all workspaces.
CREATE INDEX users_unlinked ON users (lower(email)) WHERE account_id IS NULL AND kind = 'person' AND deleted_at IS NULL;
