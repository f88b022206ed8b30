-- Inserts into audit_entries.
INSERT INTO audit_entries (
  workspace_id, id, expires_at, action, outcome, actor_kind, actor_id, actor_name, means, program_id,
    object_id, object_name, details, address, user_agent
)
VALUES
  ($1, $2, now() + make_interval(days => $3), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14, $15);

-- Updates audit_entries.
UPDATE audit_entries
SET actor_name = CASE WHEN (
  actor_id = ANY ($1::text[])
    OR lower(actor_name) = lower($2::text)
    OR actor_kind = 'nobody'
    AND object_id = ANY ($3::text[])
) IS TRUE THEN NULL ELSE actor_name END, address = CASE WHEN (
  actor_id = ANY ($4::text[])
    OR lower(actor_name) = lower($5::text)
    OR actor_kind = 'nobody'
    AND object_id = ANY ($6::text[])
) IS TRUE THEN NULL ELSE address END, user_agent = CASE WHEN (
  actor_id = ANY ($7::text[])
    OR lower(actor_name) = lower($8::text)
    OR actor_kind = 'nobody'
    AND object_id = ANY ($9::text[])
) IS TRUE THEN NULL ELSE user_agent END, object_name = CASE WHEN
  (object_id = ANY ($10::text[]) OR lower(object_name) = lower($11::text)) IS TRUE THEN NULL ELSE object_name
  END
WHERE (
  actor_id = ANY ($12::text[])
    OR lower(actor_name) = lower($13::text)
    OR actor_kind = 'nobody'
    AND object_id = ANY ($14::text[])
) IS TRUE
  AND (actor_name IS NOT NULL OR address IS NOT NULL OR user_agent IS NOT NULL)
  OR (object_id = ANY ($15::text[]) OR lower(object_name) = lower($16::text)) IS TRUE
  AND object_name IS NOT NULL;
