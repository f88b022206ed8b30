-- Tokens of the operator besides the first one, which is a setting or a file. They belong to no workspace.
CREATE TABLE operator_tokens (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL UNIQUE,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);
