-- Apps that may see email addresses look users up by them, in capitals or not.
CREATE INDEX users_email ON users (workspace_id, lower(email), created_at, id) WHERE deleted_at IS NULL AND email IS NOT NULL;
