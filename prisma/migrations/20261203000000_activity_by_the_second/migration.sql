-- The list by last message sorts the threads of one period. When messages go to very many threads, periods of four
-- seconds hold tens of thousands of threads. Within a second a thread that is busy still changes its index entry once.
ALTER TABLE threads DROP COLUMN activity_period;
ALTER TABLE threads ADD COLUMN activity_period bigint NOT NULL
  GENERATED ALWAYS AS (floor(extract(epoch FROM last_activity_at AT TIME ZONE 'UTC'))::bigint) STORED;
CREATE INDEX threads_activity ON threads (workspace_id, activity_period);
