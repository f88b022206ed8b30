-- The order of reactions is that of their making: two of the same millisecond had none.
ALTER TABLE reactions ADD COLUMN number bigint;
UPDATE reactions r SET number = made.number
  FROM (
    SELECT workspace_id, message_id, emoji, user_id, row_number() OVER (ORDER BY created_at, emoji, user_id) AS number
    FROM reactions
  ) AS made
  WHERE (r.workspace_id, r.message_id, r.emoji, r.user_id) = (made.workspace_id, made.message_id, made.emoji, made.user_id);
ALTER TABLE reactions
  ALTER COLUMN number SET NOT NULL,
  ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY,
  DROP COLUMN created_at;
SELECT setval(pg_get_serial_sequence('reactions', 'number'), coalesce(max(number), 0) + 1, false) FROM reactions;
