-- The oldest of several groups or webhooks with one name keeps it. The others become "name (2)", "name (3)" and so on.
CREATE FUNCTION pg_temp.numbered(name text, number bigint) RETURNS text LANGUAGE sql AS $$
  SELECT rtrim(left(name, 97 - length(number::text))) || ' (' || number || ')'
$$;

DO $$
DECLARE
  duplicate record;
  free_number bigint;
BEGIN
  FOR duplicate IN
    SELECT * FROM (
      SELECT workspace_id, id, name, created_at,
        row_number() OVER (PARTITION BY workspace_id, lower(name) ORDER BY created_at, id) AS number
      FROM groups WHERE NOT is_private
    ) g WHERE number > 1 ORDER BY workspace_id, created_at, id
  LOOP
    free_number := duplicate.number;
    WHILE EXISTS (
      SELECT FROM groups WHERE workspace_id = duplicate.workspace_id AND NOT is_private
        AND lower(name) = lower(pg_temp.numbered(duplicate.name, free_number)))
    LOOP
      free_number := free_number + 1;
    END LOOP;
    UPDATE groups SET name = pg_temp.numbered(duplicate.name, free_number)
    WHERE workspace_id = duplicate.workspace_id AND id = duplicate.id;
  END LOOP;

  FOR duplicate IN
    SELECT * FROM (
      SELECT workspace_id, id, user_id, name, created_at,
        row_number() OVER (PARTITION BY workspace_id, lower(name) ORDER BY created_at, id) AS number
      FROM webhooks WHERE deleted_at IS NULL
    ) h WHERE number > 1 ORDER BY workspace_id, created_at, id
  LOOP
    free_number := duplicate.number;
    WHILE EXISTS (
      SELECT FROM webhooks WHERE workspace_id = duplicate.workspace_id AND deleted_at IS NULL
        AND lower(name) = lower(pg_temp.numbered(duplicate.name, free_number)))
    LOOP
      free_number := free_number + 1;
    END LOOP;
    UPDATE webhooks SET name = pg_temp.numbered(duplicate.name, free_number)
    WHERE workspace_id = duplicate.workspace_id AND id = duplicate.id;
    UPDATE users SET name = pg_temp.numbered(duplicate.name, free_number)
    WHERE workspace_id = duplicate.workspace_id AND id = duplicate.user_id;
  END LOOP;
END
$$;
DROP FUNCTION pg_temp.numbered(text, bigint);

-- The names of private groups can repeat, because a refusal would reveal them to people who are not members.
CREATE UNIQUE INDEX one_public_group_per_name ON groups (workspace_id, lower(name)) WHERE NOT is_private;
-- A disabled webhook keeps its name, so that it can be enabled again.
CREATE UNIQUE INDEX one_webhook_per_name ON webhooks (workspace_id, lower(name)) WHERE deleted_at IS NULL;
