-- The sweep finds the sessions that are older than the setting allows.
CREATE INDEX sessions_created ON sessions (created_at);
