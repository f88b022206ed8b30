-- Deletes from event_batches. Reads event_batches.
DELETE FROM event_batches b USING (
  SELECT workspace_id, last_position
  FROM (SELECT workspace_id, last_position, created_at FROM event_batches ORDER BY number LIMIT $1) AS oldest
  WHERE created_at < now() - make_interval(days => $2)
) AS old
WHERE b.workspace_id = old.workspace_id AND b.last_position = old.last_position;

-- Inserts into event_batches, event_heads. Deletes from event_notes. Reads event_notes.
WITH chosen AS MATERIALIZED (
  SELECT workspace_id, number, size
  FROM (SELECT pg_advisory_xact_lock(1936418166) IS NULL AS waited OFFSET 0) AS lock
  CROSS JOIN LATERAL (
    SELECT workspace_id, number, sum(cardinality(types)) OVER (ORDER BY number) AS upto,
      cardinality(types) AS size
    FROM (SELECT * FROM event_notes ORDER BY number LIMIT 1000) AS oldest
  ) AS counted
  WHERE upto - size < 2000
), moved AS (
  DELETE FROM event_notes n USING chosen
  WHERE n.workspace_id = chosen.workspace_id AND n.number = chosen.number
  RETURNING n.*
), batch AS (
  SELECT workspace_id, count(*) AS count, array_agg(type) AS types, array_agg(thread_id) AS thread_ids,
    array_agg(object_id) AS object_ids, CASE WHEN count(details) > 0 THEN array_agg(details) END AS details,
    array_agg(noted_at) AS times
  FROM (
    SELECT m.workspace_id, m.noted_at, e.*
    FROM moved m
    CROSS JOIN LATERAL unnest(m.types, m.thread_ids, m.object_ids, m.details) WITH ORDINALITY AS e
      (type, thread_id, object_id, details, place)
    ORDER BY m.workspace_id, m.number, e.place
  ) AS event
  GROUP BY workspace_id
), head AS (
  INSERT INTO event_heads AS h (workspace_id, position)
  SELECT workspace_id, count
  FROM batch
  ORDER BY workspace_id
  ON CONFLICT (workspace_id) DO UPDATE
  SET position = h.position + excluded.position
  RETURNING workspace_id, position
), added AS (
  INSERT INTO event_batches (workspace_id, last_position, types, thread_ids, object_ids, details, times)
  SELECT workspace_id, position, types, thread_ids, object_ids, details, times
  FROM batch FULL
  JOIN head USING (workspace_id)
)
SELECT count(*)::integer AS notes, coalesce(sum(size), 0)::integer AS events, (SELECT count(*) FROM moved)::integer
  AS moved
FROM chosen;

-- Inserts into event_notes.
INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids, details)
VALUES ($1, $2::text[], $3::text[], $4::text[], $5::jsonb[]);

-- Reads event_batches, event_heads.
SELECT h.position AS head, coalesce(
  (
    SELECT b.last_position - cardinality(b.types)
    FROM event_batches b
    WHERE b.workspace_id = $1
    ORDER BY b.last_position
    LIMIT 1
  ), h.position
) AS kept
FROM event_heads h
WHERE h.workspace_id = $2;

-- Reads event_batches.
SELECT number, workspace_id AS "workspaceID", last_position AS position,
  times[cardinality(times)] AS "createdAt"
FROM event_batches
ORDER BY number DESC
LIMIT 1;

-- Reads event_batches.
SELECT tag
FROM (
  SELECT *
  FROM event_batches
  WHERE workspace_id = $1 AND last_position >= $2::bigint
  ORDER BY last_position
  LIMIT 1
) AS next
WHERE last_position - cardinality(types) < $3::bigint;

-- Reads event_batches.
SELECT workspace_id AS "workspaceID", max(number) AS number, max(last_position) AS position,
  (array_agg(times[cardinality(times)] ORDER BY number DESC))[1] AS "createdAt",
  bool_or('app.installed' = ANY (types)) AS "hasInstalled"
FROM event_batches
WHERE number >= $1::bigint
GROUP BY workspace_id, number = $2::bigint;

-- Reads event_batches.
WITH batch AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT b.*, sum(cardinality(b.types)) OVER (ORDER BY last_position) AS total
    FROM (
      SELECT *
      FROM event_batches
      WHERE workspace_id = $1 AND last_position > $2::bigint
      ORDER BY last_position
      LIMIT 500
    ) AS b
  ) AS counted
  WHERE total - cardinality(types) < 2000
)
SELECT $3 AS "workspaceID", read.*, e.*
FROM (
  SELECT min(last_position - cardinality(types)) AS "from", max(last_position) AS upto,
    (array_agg(tag ORDER BY last_position DESC))[1] AS "uptoTag"
  FROM batch
) AS read
LEFT JOIN (
  SELECT b.last_position - cardinality(b.types) + part.place AS position, part.type,
    part.thread_id AS "threadID", part.object_id AS "objectID", part.details, part.created_at AS "createdAt",
    b.tag
  FROM batch b
  CROSS JOIN LATERAL unnest(b.types, b.thread_ids, b.object_ids, b.details, b.times) WITH ORDINALITY AS part
    (type, thread_id, object_id, details, created_at, place)
) AS e ON e.position > $4::bigint
  AND ($5::text[] IS NULL OR e.type = ANY ($6::text[]))
  AND ($7::text[] IS NULL OR e."threadID" = ANY ($8::text[]))
WHERE read.upto IS NOT NULL
ORDER BY e.position;
