-- A token with which a person uses the API without a browser.
CREATE TABLE personal_access_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);
CREATE UNIQUE INDEX personal_access_tokens_hash ON personal_access_tokens (token_hash);
CREATE INDEX personal_access_tokens_user ON personal_access_tokens (workspace_id, user_id, id);
CREATE INDEX personal_access_tokens_expiry ON personal_access_tokens (expires_at);
