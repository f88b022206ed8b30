-- Threads are listed by who started them. The columns never change, so messages cost no entry here.
CREATE INDEX threads_started_by ON threads (workspace_id, started_by_id, created_at, id) WHERE started_by_id IS NOT NULL;
