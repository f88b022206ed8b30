-- A public app has no secret, because its users could read it. A listed app can be installed in other workspaces.
ALTER TABLE apps ALTER COLUMN secret_hash DROP NOT NULL;
ALTER TABLE apps ADD COLUMN is_listed boolean NOT NULL DEFAULT false;

-- The consent of a person. The app exchanges the code for tokens, which all end when the grant is deleted.
CREATE TABLE grants (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- The person who consented.
  user_id text COLLATE "C" NOT NULL,
  -- The tokens act as the person, and not as the app user.
  acts_as_user boolean NOT NULL,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  code_challenge text,
  redirect_uri text NOT NULL,
  code_expires_at timestamptz(3) NOT NULL,
  code_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The grant ends when its tokens have not been used for a time.
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, app_id) REFERENCES installations (workspace_id, app_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);
CREATE UNIQUE INDEX grants_code ON grants (code_hash);
CREATE INDEX grants_installation ON grants (workspace_id, app_id);
CREATE INDEX grants_user ON grants (workspace_id, user_id, created_at, id);
CREATE INDEX grants_expiry ON grants (expires_at);

-- A refresh token is replaced when it is used. The row stays, so that a second use is noticed.
CREATE TABLE refresh_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  grant_id text COLLATE "C" NOT NULL,
  replaced_at timestamptz(3),
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, grant_id) REFERENCES grants (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX refresh_tokens_hash ON refresh_tokens (token_hash);
CREATE INDEX refresh_tokens_grant ON refresh_tokens (workspace_id, grant_id);
CREATE INDEX refresh_tokens_replaced ON refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;

-- With user_id, the token acts as this person.
ALTER TABLE access_tokens
  ADD COLUMN grant_id text COLLATE "C",
  ADD COLUMN user_id text COLLATE "C",
  ADD FOREIGN KEY (workspace_id, grant_id) REFERENCES grants (workspace_id, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id);
CREATE INDEX access_tokens_grant ON access_tokens (workspace_id, grant_id) WHERE grant_id IS NOT NULL;
