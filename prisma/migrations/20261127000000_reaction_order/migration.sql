-- The order of reactions is that of their making: two of the same millisecond had none.
ALTER TABLE reactions ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY, DROP COLUMN created_at;
