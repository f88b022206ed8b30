-- The last calls of each webhook, for those who manage it. message_ids and thread_ids name what the call wrote. content is
-- the query and the body, encrypted. It does not compress, because it is encrypted. IDs ascend with the time. There is one
-- index and no foreign key, because a post must not cost more: a foreign key would lock the webhook for each call. A call
-- is stored only if its webhook exists, and webhooks are never deleted.
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
  PRIMARY KEY (workspace_id, webhook_id, id)
);
ALTER TABLE webhook_calls ALTER COLUMN content SET STORAGE EXTERNAL;
