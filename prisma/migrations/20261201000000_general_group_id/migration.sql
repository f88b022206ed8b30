-- The General group gets an ID of its own, so that no two objects share one: the workspace's ID with the prefix grp_.
-- Every row that refers to the group by the workspace's ID moves to the new ID. The references are dropped before and
-- created again afterwards: to check them once for a whole table is faster than to check them for each row.
ALTER TABLE workspaces DROP CONSTRAINT workspaces_general_group;
ALTER TABLE groups DROP CONSTRAINT general_is_public;
ALTER TABLE group_members DROP CONSTRAINT group_members_workspace_id_group_id_fkey;
ALTER TABLE threads DROP CONSTRAINT threads_workspace_id_chat_group_id_fkey;
ALTER TABLE recipients DROP CONSTRAINT recipients_workspace_id_group_id_fkey;

-- A thread_by_target is the ID of the only recipient, or the SHA-256 of the sorted IDs of several. The several are those
-- of the first call: recipients that were added or removed since have an event, and the first event of one tells whether
-- it was there at the beginning.
WITH keyed AS (
  SELECT t.workspace_id, t.id, t.thread_by_target FROM threads t
  WHERE t.thread_by_target ~ '^[0-9a-f]{64}$'
), first_event AS (
  SELECT DISTINCT ON (k.workspace_id, k.id, changed.recipient_id)
    k.workspace_id, k.id, changed.recipient_id, m.event ->> 'type' = 'recipientsRemoved' AS was_there
  FROM keyed k
  JOIN messages m ON m.workspace_id = k.workspace_id AND m.thread_id = k.id AND m.event ? 'recipientIDs'
  CROSS JOIN jsonb_array_elements_text(m.event -> 'recipientIDs') AS changed (recipient_id)
  ORDER BY k.workspace_id, k.id, changed.recipient_id, m.position
), original AS (
  SELECT k.workspace_id, k.id, r.recipient_id FROM keyed k
  JOIN recipients r ON r.workspace_id = k.workspace_id AND r.thread_id = k.id
  WHERE NOT EXISTS (
    SELECT FROM first_event e
    WHERE e.workspace_id = k.workspace_id AND e.id = k.id AND e.recipient_id = r.recipient_id)
  UNION ALL
  SELECT workspace_id, id, recipient_id FROM first_event WHERE was_there
), hashed AS (
  SELECT o.workspace_id, o.id,
    encode(sha256(convert_to(string_agg(o.recipient_id, ' ' ORDER BY o.recipient_id COLLATE "C"), 'UTF8')), 'hex') AS before,
    encode(sha256(convert_to(string_agg(moved.id, ' ' ORDER BY moved.id COLLATE "C"), 'UTF8')), 'hex') AS after
  FROM original o CROSS JOIN LATERAL (
    SELECT CASE o.recipient_id WHEN o.workspace_id THEN 'grp_' || substr(o.workspace_id, 5) ELSE o.recipient_id END AS id
  ) AS moved
  GROUP BY o.workspace_id, o.id
)
UPDATE threads t SET thread_by_target = hashed.after
FROM hashed
WHERE t.workspace_id = hashed.workspace_id AND t.id = hashed.id
  AND t.thread_by_target = hashed.before AND hashed.before <> hashed.after;
UPDATE threads SET thread_by_target = 'grp_' || substr(workspace_id, 5) WHERE thread_by_target = workspace_id;

UPDATE groups SET id = 'grp_' || substr(workspace_id, 5) WHERE id = workspace_id;
UPDATE group_members SET group_id = 'grp_' || substr(workspace_id, 5) WHERE group_id = workspace_id;
UPDATE threads SET chat_group_id = 'grp_' || substr(workspace_id, 5) WHERE chat_group_id = workspace_id;
UPDATE recipients SET group_id = 'grp_' || substr(workspace_id, 5) WHERE group_id = workspace_id;
UPDATE messages SET event = jsonb_set(event, '{recipientIDs}', (
    SELECT jsonb_agg(CASE one WHEN to_jsonb(workspace_id) THEN to_jsonb('grp_' || substr(workspace_id, 5)) ELSE one END ORDER BY number)
    FROM jsonb_array_elements(event -> 'recipientIDs') WITH ORDINALITY AS named (one, number)))
  WHERE event -> 'recipientIDs' @> to_jsonb(workspace_id);

ALTER TABLE group_members ADD FOREIGN KEY (workspace_id, group_id) REFERENCES groups (workspace_id, id);
ALTER TABLE threads ADD FOREIGN KEY (workspace_id, chat_group_id) REFERENCES groups (workspace_id, id);
ALTER TABLE recipients ADD FOREIGN KEY (workspace_id, group_id) REFERENCES groups (workspace_id, id);
ALTER TABLE groups ADD CONSTRAINT general_is_public CHECK (id <> 'grp_' || substr(workspace_id, 5) OR NOT is_private);

-- The key of groups allows no second General group, and this reference allows no workspace without one.
ALTER TABLE workspaces ADD COLUMN general_group_id text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS ('grp_' || substr(id, 5)) STORED;
ALTER TABLE workspaces ADD CONSTRAINT workspaces_general_group
  FOREIGN KEY (id, general_group_id) REFERENCES groups (workspace_id, id) DEFERRABLE INITIALLY DEFERRED;
