-- A session ends at this time, however often it is used. Sessions that have begun before last for another 180 days.
ALTER TABLE sessions ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '180 days';
CREATE INDEX sessions_expiring ON sessions (expires_at);
