-- Words are indexed with the end of their workspace's ID before them. All messages are to be indexed anew.
TRUNCATE searchable_messages, unindexed_messages;
INSERT INTO unindexed_messages (workspace_id, message_ids)
  SELECT workspace_id, array_agg(id ORDER BY created_at, id)
  FROM (
    SELECT workspace_id, id, created_at,
      (row_number() OVER (PARTITION BY workspace_id ORDER BY created_at, id) - 1) / 128 AS part
    FROM messages
  ) AS numbered
  GROUP BY workspace_id, part
  ORDER BY workspace_id, part;
