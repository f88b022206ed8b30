-- More formats that webhooks can read. signature_secret signs the calls of a webhook, and is encrypted with the key of
-- the service (AES-256-GCM). templates has a Liquid text for each field of the messages that the format template writes.
ALTER TABLE webhooks
  DROP CONSTRAINT webhooks_format_check,
  ADD CONSTRAINT webhooks_format_check CHECK (format IN (
    'alertmanager', 'discord', 'github', 'gitlab', 'grafana', 'json', 'sentry', 'slack', 'template')),
  ADD COLUMN signature_secret bytea CHECK (octet_length(signature_secret) > 28),
  ADD COLUMN templates jsonb CHECK (jsonb_typeof(templates) = 'object');

-- A view lists the columns that its tables had when it was created.
CREATE OR REPLACE VIEW active_webhooks AS
SELECT workspace_id, id, user_id, name, description, key_hash, created_at, disabled_at, deleted_at, creator_id,
  last_used_at, CASE WHEN previous_key_ends_at > now() THEN previous_key_hash END AS previous_key_hash,
  previous_key_ends_at, expires_at, revision, default_target, allowed_targets, format, resolved_calls, rest_days,
  signature_secret, templates
FROM webhooks
WHERE disabled_at IS NULL AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now());

CREATE OR REPLACE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.*
FROM users viewer JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR h.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks OFFSET 0));
