-- What a sender can say about a message. version orders the calls for one message: a lower one changes nothing. A
-- deleted message keeps its version and, in deleted_unique_by, its key. called_at is when an update last asked for
-- attention.
ALTER TABLE messages
  ADD COLUMN version bigint,
  ADD COLUMN state text COLLATE "C" CHECK (state IN ('running', 'failed', 'ok')),
  ADD COLUMN sender_name text,
  ADD COLUMN allow_mentions boolean NOT NULL DEFAULT true,
  ADD COLUMN is_plain boolean NOT NULL DEFAULT false,
  ADD COLUMN is_silent boolean NOT NULL DEFAULT false,
  ADD COLUMN called_at timestamptz(3),
  ADD COLUMN deleted_unique_by text,
  ADD CONSTRAINT only_deleted_keep_keys CHECK (deleted_unique_by IS NULL OR deleted_at IS NOT NULL AND version IS NOT NULL);
CREATE INDEX messages_deleted_keys ON messages
  (workspace_id, thread_id, author_id, deleted_unique_by, version)
  WHERE deleted_unique_by IS NOT NULL;
CREATE INDEX messages_called ON messages (workspace_id, thread_id, called_at) WHERE called_at IS NOT NULL;

-- closing_version is the highest version that closed or reopened the thread.
ALTER TABLE threads
  ADD COLUMN state text COLLATE "C" CHECK (state IN ('running', 'failed', 'ok')),
  ADD COLUMN closing_version bigint,
  ADD COLUMN called_at timestamptz(3),
  ADD CONSTRAINT only_threads_have_outcomes CHECK (kind = 'thread' OR state IS NULL AND closing_version IS NULL);

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

-- The time of the last call that marked something as read. Updates that called later are unread.
ALTER TABLE reads ADD COLUMN read_at timestamptz(3);
