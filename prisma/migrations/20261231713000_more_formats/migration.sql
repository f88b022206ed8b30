-- Formats that webhooks can read besides the first four.
ALTER TABLE webhooks
  DROP CONSTRAINT webhooks_format_check,
  ADD CONSTRAINT webhooks_format_check CHECK (format IN (
    'alertmanager', 'discord', 'github', 'gitlab', 'grafana', 'json', 'sentry', 'slack', 'template'));
