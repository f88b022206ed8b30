-- A user's own messages are never unread: how many it wrote in a thread, and how many of these are up to read_up_to.
ALTER TABLE reads
  ADD COLUMN own_total integer NOT NULL DEFAULT 0,
  ADD COLUMN own_read integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT own_read_of_total CHECK (own_read BETWEEN 0 AND own_total);

-- True for a message whose author can read threads. Null for those of webhooks, so that they cost no entry in the index,
-- which counts an author's own messages in a part of a thread.
ALTER TABLE messages ADD COLUMN author_reads boolean;
UPDATE messages m SET author_reads = true
  FROM users u WHERE u.workspace_id = m.workspace_id AND u.id = m.author_id AND u.kind <> 'webhook';
CREATE INDEX messages_own ON messages (workspace_id, thread_id, author_id, position) WHERE author_reads;

INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to, own_total)
  SELECT workspace_id, author_id, thread_id, 0, count(*) FROM messages WHERE author_reads GROUP BY 1, 2, 3
  ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE SET own_total = excluded.own_total;
UPDATE reads r SET own_read = (
    SELECT count(*) FROM messages m
    WHERE m.workspace_id = r.workspace_id AND m.thread_id = r.thread_id AND m.author_id = r.user_id
      AND m.position <= r.read_up_to AND m.author_reads)
  WHERE r.own_total > 0 AND r.read_up_to > 0;
