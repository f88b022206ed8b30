-- The groups that a thread is addressed to, and the group of a chat. They repeat the rows of recipients in the thread's
-- row, so that a list of the threads that concern a person reads only threads.
ALTER TABLE threads ADD COLUMN group_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';
UPDATE threads t SET group_ids = coalesce((
    SELECT array_agg(r.group_id ORDER BY r.group_id) FROM recipients r
    WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id AND r.group_id IS NOT NULL
  ), array_remove(ARRAY[t.chat_group_id], NULL), '{}')
  WHERE t.kind <> 'dm';

CREATE FUNCTION name_group_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.group_ids := ARRAY[NEW.chat_group_id];
  RETURN NEW;
END $$;
CREATE TRIGGER threads_of_groups BEFORE INSERT ON threads
  FOR EACH ROW WHEN (NEW.chat_group_id IS NOT NULL) EXECUTE FUNCTION name_group_of_chat();

CREATE FUNCTION name_groups_of_threads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE threads t SET group_ids = named.group_ids
  FROM (
    SELECT changed.workspace_id, changed.thread_id, coalesce((
      SELECT array_agg(r.group_id ORDER BY r.group_id) FROM recipients r
      WHERE r.workspace_id = changed.workspace_id AND r.thread_id = changed.thread_id AND r.group_id IS NOT NULL
    ), '{}') AS group_ids
    FROM (SELECT DISTINCT workspace_id, thread_id FROM changed WHERE group_id IS NOT NULL) AS changed
  ) AS named
  WHERE t.workspace_id = named.workspace_id AND t.id = named.thread_id AND t.group_ids <> named.group_ids;
  RETURN NULL;
END $$;
CREATE TRIGGER recipients_added AFTER INSERT ON recipients
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_groups_of_threads();
CREATE TRIGGER recipients_removed AFTER DELETE ON recipients
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION name_groups_of_threads();

-- A person is named in a thread after it began. The messages up to this time count as read.
ALTER TABLE recipients ADD COLUMN read_floor timestamptz(3);

ALTER TABLE group_members ADD COLUMN is_muted boolean NOT NULL DEFAULT false;

-- A person follows a thread that they started, wrote in, were mentioned in, or chose to follow, until they choose not to.
-- The messages up to read_floor count as read.
CREATE TABLE follows (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  thread_kind text NOT NULL DEFAULT 'thread' CHECK (thread_kind = 'thread'),
  is_active boolean NOT NULL DEFAULT true,
  read_floor timestamptz(3),
  PRIMARY KEY (workspace_id, user_id, thread_id),
  FOREIGN KEY (workspace_id, thread_id, thread_kind) REFERENCES threads (workspace_id, id, kind),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);

CREATE TABLE muted_threads (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, user_id, thread_id),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES threads,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);

-- When a person marked everything as read, or the threads of a group. Without a group, group_id is empty. undo has what
-- the last call replaced.
CREATE TABLE read_floors (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL DEFAULT '',
  read_floor timestamptz(3) NOT NULL,
  undo jsonb,
  PRIMARY KEY (workspace_id, user_id, group_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);

-- Until kept_at, no floor moves the read position.
ALTER TABLE reads ADD COLUMN kept_at timestamptz(3);
CREATE INDEX reads_kept ON reads (workspace_id, user_id, thread_id) WHERE kept_at IS NOT NULL;

-- Deleted messages and lines about events are never unread.
CREATE INDEX messages_uncounted ON messages (workspace_id, thread_id, position)
  WHERE event IS NOT NULL OR deleted_at IS NOT NULL;

-- The users and groups that a message mentions. mentioned_at is when the message was written, or when a later change
-- mentioned them or asked for attention.
CREATE TABLE mentions (
  workspace_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  mentioned_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, thread_id, position, target_id),
  FOREIGN KEY (workspace_id, thread_id, position) REFERENCES messages (workspace_id, thread_id, position)
);
CREATE INDEX mentions_of_target ON mentions (workspace_id, target_id, mentioned_at, thread_id, position);

-- Returns the position of a thread's last message that is not later than a time. The times of a thread's messages never
-- decrease.
CREATE FUNCTION position_at(of_workspace text, of_thread text, last_position integer, up_to timestamptz)
  RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  low integer := 0;
  high integer := last_position;
  middle integer;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT m.created_at FROM messages m
        WHERE m.workspace_id = of_workspace AND m.thread_id = of_thread AND m.position = middle) <= up_to THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;

-- What people started and wrote before.
INSERT INTO follows (workspace_id, user_id, thread_id)
SELECT DISTINCT workspace_id, user_id, thread_id FROM (
  SELECT t.workspace_id, t.started_by_id AS user_id, t.id AS thread_id FROM threads t WHERE t.kind = 'thread'
  UNION ALL
  SELECT r.workspace_id, r.user_id, r.thread_id FROM reads r
  JOIN threads t ON t.workspace_id = r.workspace_id AND t.id = r.thread_id AND t.kind = 'thread'
  WHERE r.own_total > 0
) AS begun
JOIN users u USING (workspace_id) WHERE u.id = begun.user_id AND u.kind = 'person';

-- The label of a mention is not checked, and code is not excluded.
INSERT INTO mentions (workspace_id, thread_id, position, target_id, mentioned_at)
SELECT DISTINCT m.workspace_id, m.thread_id, m.position, known.id, m.created_at
FROM messages m CROSS JOIN LATERAL regexp_matches(m.text, '\]\([a-z][a-z0-9+.-]*:((?:usr|grp|wks)_[0-9A-Za-z]{27})\)', 'gi') AS found (ids)
CROSS JOIN LATERAL (
  SELECT id FROM users WHERE workspace_id = m.workspace_id AND id = found.ids[1]
  UNION ALL
  SELECT id FROM groups WHERE workspace_id = m.workspace_id
    AND id = CASE WHEN found.ids[1] = m.workspace_id THEN 'grp_' || substr(m.workspace_id, 5) ELSE found.ids[1] END
) AS known
WHERE m.event IS NULL AND m.deleted_at IS NULL AND m.text LIKE '%](%';

-- A view lists the columns that its tables had when it was created.
CREATE OR REPLACE VIEW visible_threads AS
SELECT viewer.id AS viewer_id, t.*
FROM users viewer JOIN threads t ON t.workspace_id = viewer.workspace_id
WHERE t.dm_low_user_id = viewer.id OR t.dm_high_user_id = viewer.id
  OR t.chat_group_id IS NOT NULL AND EXISTS (
    SELECT FROM visible_groups g
    WHERE g.viewer_id = viewer.id AND g.workspace_id = t.workspace_id AND g.id = t.chat_group_id OFFSET 0)
  OR EXISTS (
    SELECT FROM recipients r
    WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id
      AND (r.user_id = viewer.id OR r.group_id IS NOT NULL AND EXISTS (
        SELECT FROM visible_groups g
        WHERE g.viewer_id = viewer.id AND g.workspace_id = r.workspace_id AND g.id = r.group_id OFFSET 0))
    OFFSET 0);
