-- Names no table.
SELECT $1::timestamptz <= now() AS "isPast";

-- Names no table.
SELECT date_trunc('milliseconds', now()) AS present;
