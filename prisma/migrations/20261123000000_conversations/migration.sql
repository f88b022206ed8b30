-- An admin of the General group is an admin of the workspace.
ALTER TABLE group_members ADD COLUMN role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member'));

-- A deleted message keeps its place and its author. One with an event was written by the service, to tell of a change.
ALTER TABLE messages ADD COLUMN deleted_at timestamptz(3);
ALTER TABLE messages ADD COLUMN event jsonb;
ALTER TABLE messages ADD CONSTRAINT deleted_is_empty CHECK (
  deleted_at IS NULL OR (text = '' AND unique_by IS NULL AND attachment_count = 0 AND event IS NULL));

CREATE TABLE reactions (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  emoji text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, message_id, emoji, user_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);

-- Only plain threads have states of their own. Such a thread may have been started from a message.
ALTER TABLE threads ADD COLUMN closed_at timestamptz(3);
ALTER TABLE threads ADD COLUMN recipients_locked boolean NOT NULL DEFAULT false;
ALTER TABLE threads ADD COLUMN replies_off boolean NOT NULL DEFAULT false;
ALTER TABLE threads ADD COLUMN from_message_id text COLLATE "C";
ALTER TABLE threads ADD FOREIGN KEY (workspace_id, from_message_id) REFERENCES messages (workspace_id, id);
ALTER TABLE threads ADD CONSTRAINT only_threads_have_states CHECK (
  kind = 'thread' OR NOT (closed_at IS NOT NULL OR recipients_locked OR replies_off OR from_message_id IS NOT NULL));
CREATE INDEX threads_from_message ON threads (workspace_id, from_message_id, created_at, id)
  WHERE from_message_id IS NOT NULL;

-- How far a user has read a thread: the position of the last message read. Positions have no gaps, so what is unread is
-- the difference to the last position.
CREATE TABLE reads (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  read_up_to integer NOT NULL CHECK (read_up_to >= 0),
  PRIMARY KEY (workspace_id, user_id, thread_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES threads (workspace_id, id)
);
ALTER TABLE reads SET (fillfactor = 80);

-- Which app or webhook a user is of.
CREATE INDEX installations_user ON installations (workspace_id, user_id);
CREATE INDEX webhooks_user ON webhooks (workspace_id, user_id);
