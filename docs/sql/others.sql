-- Names no table.
SELECT date_trunc('milliseconds', now()) AS present;
