-- During the grace period of a replaced token, its successor is derived from the token and this salt.
ALTER TABLE refresh_tokens ADD COLUMN successor_salt bytea
  CHECK (successor_salt IS NULL OR (octet_length(successor_salt) = 32 AND replaced_at IS NOT NULL));
CREATE INDEX refresh_tokens_salted ON refresh_tokens (replaced_at) WHERE successor_salt IS NOT NULL;
