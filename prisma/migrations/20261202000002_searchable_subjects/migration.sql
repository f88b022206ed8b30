-- The first message of a thread is found by the thread's subject too. thread_changes is threads.changes as it was when
-- the words were taken, so that an older subject never replaces a newer one.
ALTER TABLE searchable_messages ADD COLUMN thread_changes integer NOT NULL DEFAULT 0;

INSERT INTO unindexed_messages (workspace_id, message_ids)
  SELECT workspace_id, array_agg(id ORDER BY created_at, id)
  FROM (
    SELECT m.workspace_id, m.id, m.created_at,
      (row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.created_at, m.id) - 1) / 128 AS part
    FROM threads t JOIN messages m ON m.workspace_id = t.workspace_id AND m.thread_id = t.id AND m.position = 1
    WHERE t.subject IS NOT NULL
  ) AS numbered
  GROUP BY workspace_id, part
  ORDER BY workspace_id, part;
