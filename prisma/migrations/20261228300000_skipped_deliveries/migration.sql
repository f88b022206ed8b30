-- The owner of an endpoint can skip a delivery. The existing rows satisfy the wider constraint.
ALTER TABLE event_deliveries DROP CONSTRAINT event_deliveries_status_check,
  ADD CONSTRAINT event_deliveries_status_check
  CHECK (status IN ('pending', 'succeeded', 'failed', 'dropped', 'skipped')) NOT VALID;
