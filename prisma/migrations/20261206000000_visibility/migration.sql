-- Who can see what, once for all statements. A viewer is a user; statements name one by viewer_id. OFFSET 0 keeps PostgreSQL
-- from answering a probe for all rows at once, from a hash of every workspace's rows, where a page needs a few.

-- Public groups, and private groups that the viewer is a member of.
CREATE VIEW visible_groups AS
SELECT viewer.id AS viewer_id, g.*
FROM users viewer JOIN groups g ON g.workspace_id = viewer.workspace_id
WHERE NOT g.is_private OR EXISTS (
  SELECT FROM group_members m
  WHERE m.workspace_id = g.workspace_id AND m.group_id = g.id AND m.user_id = viewer.id OFFSET 0);

-- The users who administer a group: its admins, and the admins of the workspace, who are those of the General group.
CREATE VIEW group_admins AS
SELECT g.workspace_id, g.id AS group_id, m.user_id
FROM groups g JOIN group_members m
  ON m.workspace_id = g.workspace_id AND m.group_id IN (g.id, 'grp_' || substr(g.workspace_id, 5))
WHERE m.role = 'admin';

-- DMs of the viewer, chats of visible groups, and threads whose recipients include the viewer or a visible group.
CREATE VIEW visible_threads AS
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

-- The IDs of the same threads, to gather them when they are few. An ID can occur several times.
CREATE VIEW visible_thread_ids AS
SELECT workspace_id, dm_low_user_id AS viewer_id, id, 'dm' AS found_as FROM threads
UNION ALL
SELECT workspace_id, dm_high_user_id, id, 'dm' FROM threads
UNION ALL
SELECT workspace_id, user_id, thread_id, 'recipient' FROM recipients
UNION ALL
SELECT g.workspace_id, g.viewer_id, t.id, 'group chat' FROM visible_groups g CROSS JOIN LATERAL (
  SELECT id FROM threads WHERE workspace_id = g.workspace_id AND chat_group_id = g.id OFFSET 0) AS t
UNION ALL
SELECT g.workspace_id, g.viewer_id, r.thread_id, 'recipient' FROM visible_groups g CROSS JOIN LATERAL (
  SELECT thread_id FROM recipients WHERE workspace_id = g.workspace_id AND group_id = g.id OFFSET 0) AS r;

-- Files that the viewer uploaded, and files attached to messages in visible threads.
CREATE VIEW visible_files AS
SELECT viewer.id AS viewer_id, f.*
FROM users viewer JOIN files f ON f.workspace_id = viewer.workspace_id
WHERE f.uploader_id = viewer.id OR EXISTS (
  SELECT FROM attachments a
  JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id
  JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
  WHERE a.workspace_id = f.workspace_id AND a.file_id = f.id AND a.position <= m.attachment_count
    AND t.viewer_id = viewer.id OFFSET 0);
