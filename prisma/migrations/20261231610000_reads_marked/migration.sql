-- The read position was set by markAllRead, which can be taken back.
ALTER TABLE reads ADD COLUMN is_marked boolean NOT NULL DEFAULT false;
