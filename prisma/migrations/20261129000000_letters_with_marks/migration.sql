-- Letters with these marks behind them were taken for several words. Such messages are to be indexed anew.
INSERT INTO unindexed_messages (workspace_id, message_ids)
  SELECT workspace_id, array_agg(id ORDER BY created_at, id)
  FROM (
    SELECT workspace_id, id, created_at,
      (row_number() OVER (PARTITION BY workspace_id ORDER BY created_at, id) - 1) / 128 AS part
    FROM messages WHERE text ~ '[\u02bc\u0300-\u036f]'
  ) AS numbered
  GROUP BY workspace_id, part
  ORDER BY workspace_id, part;
