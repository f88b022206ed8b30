-- Names no table.
SELECT $1::timestamptz <= now() AS "isPast";

-- Names no table.
SELECT date_trunc('milliseconds', now()) AS present;

-- Names no table.
SELECT t.table_name::text AS name
FROM information_schema.columns c
JOIN information_schema.tables t USING (table_schema, table_name)
WHERE c.table_schema = current_schema()
  AND c.column_name = 'workspace_id'
  AND t.table_type = 'BASE TABLE'
  AND t.table_name <> 'audit_entries'
ORDER BY t.table_name;
