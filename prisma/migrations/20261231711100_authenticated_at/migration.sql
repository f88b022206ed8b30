-- When the person signed in at the identity provider, which can be before the session began. Null for other sign-ins.
ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz(3);
