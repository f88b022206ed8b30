-- Webhooks that can post. Disabled and deleted ones cannot.
CREATE VIEW active_webhooks AS
SELECT * FROM webhooks WHERE disabled_at IS NULL AND deleted_at IS NULL;
