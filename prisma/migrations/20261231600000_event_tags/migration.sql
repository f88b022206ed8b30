-- A random number of each batch of events, which the cursors and IDs of its events contain. If the database was restored to
-- an earlier state, or a standby without the last commits took over, new batches take the positions of lost ones, but have
-- other tags. Older batches have the tag 0.
ALTER TABLE event_batches ADD COLUMN tag INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_batches ALTER COLUMN tag SET DEFAULT 1 + floor(random() * 2147483646)::integer;
ALTER TABLE event_deliveries ADD COLUMN tag INTEGER NOT NULL DEFAULT 0;
