-- How often a thread was changed. A message that waited for the lock of a change is judged by what is left of it:
-- of the row that it waited for PostgreSQL shows it the new version, of the recipients those of before.
ALTER TABLE threads ADD COLUMN changes integer NOT NULL DEFAULT 0;
