-- The operator names a user or a group by its ID alone.
CREATE INDEX users_id ON users (id);
CREATE INDEX groups_id ON groups (id);
