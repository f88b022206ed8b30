-- A call is an update that asks for attention. Calls up to this time are read, if their message is read.
ALTER TABLE reads RENAME COLUMN read_at TO calls_read_up_to;
