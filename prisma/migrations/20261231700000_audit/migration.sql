-- The audit log: who changed what besides messages, who signed in, and who was refused. An entry refers to nothing,
-- because it must outlive what it names. The workspace of entries about accounts and the service is ''.
CREATE TABLE audit_entries (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL DEFAULT 'done',
  actor_kind text NOT NULL,
  actor_id text COLLATE "C",
  actor_name text,
  means text NOT NULL,
  program_id text COLLATE "C",
  object_id text COLLATE "C",
  object_name text,
  details jsonb NOT NULL DEFAULT '{}',
  address text,
  user_agent text,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT known_outcome CHECK (outcome IN ('done', 'refused')),
  CONSTRAINT known_actor CHECK (actor_kind IN ('user', 'account', 'operator', 'app', 'nobody')),
  CONSTRAINT details_are_an_object CHECK (jsonb_typeof(details) = 'object')
);
CREATE INDEX audit_entries_by_creation ON audit_entries (workspace_id, created_at, id);
CREATE INDEX audit_entries_of_service ON audit_entries (created_at, id);
CREATE INDEX audit_entries_by_expiry ON audit_entries (expires_at);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, created_at) WHERE actor_id IS NOT NULL;

-- Entries stay as they were written. An expired entry can be deleted. Names, addresses and user agents can become NULL if
-- the same transaction has written an entry that says so.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.expires_at <= now() THEN RETURN OLD; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - '{actor_name,object_name,address,user_agent}'::text[]
        = to_jsonb(OLD) - '{actor_name,object_name,address,user_agent}'::text[]
      AND (NEW.actor_name IS NULL OR NEW.actor_name = OLD.actor_name)
      AND (NEW.object_name IS NULL OR NEW.object_name = OLD.object_name)
      AND (NEW.address IS NULL OR NEW.address = OLD.address)
      AND (NEW.user_agent IS NULL OR NEW.user_agent = OLD.user_agent)
      AND EXISTS (
        SELECT FROM audit_entries
        WHERE created_at = now()::timestamptz(3) AND action = 'eraseAuditNames' AND xmin = pg_current_xact_id()::xid)
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit log cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_stay_together BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();
