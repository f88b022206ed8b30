-- The last calls of each webhook, for those who manage it. message_ids and thread_ids name what the call wrote. content is
-- the query and the body, encrypted. It does not compress, because it is encrypted.
CREATE TABLE webhook_calls (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  method text COLLATE "C" NOT NULL,
  format text COLLATE "C",
  target_id text COLLATE "C",
  status smallint NOT NULL,
  size_bytes integer NOT NULL,
  outcome jsonb NOT NULL,
  message_ids text[] COLLATE "C" NOT NULL,
  thread_ids text[] COLLATE "C" NOT NULL,
  content bytea,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks
);
ALTER TABLE webhook_calls ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX webhook_calls_created ON webhook_calls (workspace_id, webhook_id, created_at, id);
CREATE INDEX webhook_calls_content ON webhook_calls (created_at) WHERE content IS NOT NULL;
