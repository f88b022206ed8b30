-- Webhooks that can post. Disabled, deleted and expired webhooks cannot. A previous key that has ended is null.
CREATE VIEW active_webhooks AS
SELECT workspace_id, id, user_id, name, description, key_hash, created_at, disabled_at, deleted_at,
  creator_id, last_used_at,
  CASE WHEN previous_key_ends_at > now() THEN previous_key_hash ELSE NULL::bytea END AS previous_key_hash,
  previous_key_ends_at, expires_at, revision, default_target, allowed_targets, format, resolved_calls,
  rest_days, signature_secret, templates
FROM webhooks
WHERE disabled_at IS NULL AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now());

-- The users who administer a group: its admins, and the admins of the workspace, who are the admins of the General group.
CREATE VIEW group_admins AS
SELECT g.workspace_id, g.id AS group_id, m.user_id
FROM groups g
JOIN group_members m ON m.workspace_id = g.workspace_id
  AND (m.group_id = g.id OR m.group_id = ('grp_'::text || substr(g.workspace_id, 5)))
WHERE m.role = 'admin'::text;

-- The apps that the viewer manages: all apps of the workspace for its admins, and the viewer's own apps while members may create apps.
CREATE VIEW managed_apps AS
SELECT viewer.id AS viewer_id, a.workspace_id, a.id, a.name, a.secret_hash, a.created_at, a.deleted_at,
  a.is_listed, a.creator_id, a.description, a.avatar_file_id
FROM users viewer
JOIN apps a ON a.workspace_id = viewer.workspace_id
WHERE a.deleted_at IS NULL
  AND (
    (
      EXISTS (
        SELECT
        FROM group_members m
        WHERE m.workspace_id = viewer.workspace_id
          AND m.group_id = ('grp_'::text || substr(viewer.workspace_id, 5))
          AND m.user_id = viewer.id
          AND m.role = 'admin'::text
        OFFSET 0
      )
    )
      OR a.creator_id = viewer.id
      AND viewer.kind = 'person'::text
      AND viewer.deleted_at IS NULL
      AND (
        EXISTS (
          SELECT
          FROM workspaces w
          WHERE w.id = viewer.workspace_id AND w.members_may_create_apps
          OFFSET 0
        )
      )
  );

-- The webhooks that the viewer manages: all webhooks of the workspace for its admins, and the viewer's own webhooks while members may create webhooks.
CREATE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.workspace_id, h.id, h.user_id, h.name, h.description, h.key_hash,
  h.created_at, h.disabled_at, h.deleted_at, h.creator_id, h.last_used_at, h.previous_key_hash,
  h.previous_key_ends_at, h.expires_at, h.revision, h.default_target, h.allowed_targets, h.format,
  h.resolved_calls, h.rest_days, h.signature_secret, h.templates
FROM users viewer
JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL
  AND (
    (
      EXISTS (
        SELECT
        FROM group_members m
        WHERE m.workspace_id = viewer.workspace_id
          AND m.group_id = ('grp_'::text || substr(viewer.workspace_id, 5))
          AND m.user_id = viewer.id
          AND m.role = 'admin'::text
        OFFSET 0
      )
    )
      OR h.creator_id = viewer.id
      AND viewer.kind = 'person'::text
      AND viewer.deleted_at IS NULL
      AND (
        EXISTS (
          SELECT
          FROM workspaces w
          WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks
          OFFSET 0
        )
      )
  );

-- Files that the viewer uploaded, and files attached to messages in visible threads.
CREATE VIEW visible_files AS
SELECT viewer.id AS viewer_id, f.workspace_id, f.id, f.uploader_id, f.name, f.size_bytes, f.md5, f.sha256,
  f.created_at, f.content_type, f.width, f.height, f.sweep_at
FROM users viewer
JOIN files f ON f.workspace_id = viewer.workspace_id
WHERE f.uploader_id = viewer.id
  OR (
    EXISTS (
      SELECT
      FROM attachments a
      JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id
      JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
      WHERE a.workspace_id = f.workspace_id
        AND a.file_id = f.id
        AND a."position" <= m.attachment_count
        AND t.viewer_id = viewer.id
      OFFSET 0
    )
  );

-- Public groups, and private groups that the viewer is a member of.
CREATE VIEW visible_groups AS
SELECT viewer.id AS viewer_id, g.workspace_id, g.id, g.name, g.description, g.is_private, g.created_at,
  g.folded_name
FROM users viewer
JOIN groups g ON g.workspace_id = viewer.workspace_id
WHERE NOT g.is_private
  OR (
    EXISTS (
      SELECT
      FROM group_members m
      WHERE m.workspace_id = g.workspace_id AND m.group_id = g.id AND m.user_id = viewer.id
      OFFSET 0
    )
  );

-- All installations in the workspace for its admins. For other users, the installations of the apps that they manage.
CREATE VIEW visible_installations AS
SELECT viewer.id AS viewer_id, i.workspace_id, i.app_id, i.app_workspace_id, i.user_id, i.scopes,
  i.installed_at, i.uninstalled_at
FROM users viewer
JOIN installations i ON i.workspace_id = viewer.workspace_id
WHERE i.uninstalled_at IS NULL
  AND (
    (
      EXISTS (
        SELECT
        FROM group_members m
        WHERE m.workspace_id = viewer.workspace_id
          AND m.group_id = ('grp_'::text || substr(viewer.workspace_id, 5))
          AND m.user_id = viewer.id
          AND m.role = 'admin'::text
        OFFSET 0
      )
    )
      OR (
        EXISTS (
          SELECT
          FROM managed_apps a
          WHERE a.viewer_id = viewer.id
            AND a.workspace_id = viewer.workspace_id
            AND a.workspace_id = i.app_workspace_id
            AND a.id = i.app_id
          OFFSET 0
        )
      )
  );

-- The IDs of the visible threads, for statements that gather a few threads. An ID can occur several times.
CREATE VIEW visible_thread_ids AS
SELECT threads.workspace_id, threads.dm_low_user_id AS viewer_id, threads.id, 'dm'::text AS found_as
FROM threads
UNION ALL
SELECT threads.workspace_id, threads.dm_high_user_id AS viewer_id, threads.id, 'dm'::text AS found_as
FROM threads
UNION ALL
SELECT recipients.workspace_id, recipients.user_id AS viewer_id, recipients.thread_id AS id,
  'recipient'::text AS found_as
FROM recipients
UNION ALL
SELECT g.workspace_id, g.viewer_id, t.id, 'group chat'::text AS found_as
FROM visible_groups g
CROSS JOIN LATERAL (
  SELECT threads.id
  FROM threads
  WHERE threads.workspace_id = g.workspace_id AND threads.chat_group_id = g.id
  OFFSET 0
) t
UNION ALL
SELECT g.workspace_id, g.viewer_id, r.thread_id AS id, 'recipient'::text AS found_as
FROM visible_groups g
CROSS JOIN LATERAL (
  SELECT recipients.thread_id
  FROM recipients
  WHERE recipients.workspace_id = g.workspace_id AND recipients.group_id = g.id
  OFFSET 0
) r;

-- DMs of the viewer, chats of visible groups, and threads whose recipients include the viewer or a visible group.
CREATE VIEW visible_threads AS
SELECT viewer.id AS viewer_id, t.workspace_id, t.id, t.kind, t.subject, t.chat_group_id, t.dm_low_user_id,
  t.dm_high_user_id, t.started_by_id, t.thread_by, t.thread_by_target, t.last_position, t.last_activity_at,
  t.created_at, t.closed_at, t.recipients_locked, t.replies_off, t.from_message_id, t.changes,
  t.activity_period, t.folded_subject, t.state, t.closing_version, t.called_at, t.group_ids
FROM users viewer
JOIN threads t ON t.workspace_id = viewer.workspace_id
WHERE t.dm_low_user_id = viewer.id
  OR t.dm_high_user_id = viewer.id
  OR t.chat_group_id IS NOT NULL
  AND (
    EXISTS (
      SELECT
      FROM visible_groups g
      WHERE g.viewer_id = viewer.id AND g.workspace_id = t.workspace_id AND g.id = t.chat_group_id
      OFFSET 0
    )
  )
  OR (
    EXISTS (
      SELECT
      FROM recipients r
      WHERE r.workspace_id = t.workspace_id
        AND r.thread_id = t.id
        AND (
          r.user_id = viewer.id
            OR r.group_id IS NOT NULL
            AND (
              EXISTS (
                SELECT
                FROM visible_groups g
                WHERE g.viewer_id = viewer.id AND g.workspace_id = r.workspace_id AND g.id = r.group_id
                OFFSET 0
              )
            )
        )
      OFFSET 0
    )
  );
