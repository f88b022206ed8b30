/** Saves all tables of the database. */
export const takeBackup = `
  DO $$ DECLARE name text; BEGIN
    DROP SCHEMA IF EXISTS backup CASCADE;
    CREATE SCHEMA backup;
    CREATE TABLE backup.numbers AS
      SELECT format('public.%I', sequencename) AS name, coalesce(last_value, 1) AS number, last_value IS NOT NULL AS is_used
      FROM pg_sequences WHERE schemaname = 'public';
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('CREATE TABLE backup.%s AS TABLE public.%s', name, name);
    END LOOP;
  END $$`

/**
 * Restores all tables in one transaction, while services run. A backup also restores the numbers that PostgreSQL gives
 * to rows. A standby without the last commits does not: PostgreSQL skips some numbers when it is promoted.
 */
export function restore({ numbers }: { numbers: 'restored' | 'skipped' }): string {
  return `
  DO $$ DECLARE name text; columns text; BEGIN
    SET LOCAL session_replication_role = replica;
    LOCK TABLE event_notes, event_heads, event_batches;
    FOR name, columns IN
      SELECT quote_ident(table_name), string_agg(quote_ident(column_name), ', ')
      FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY table_name
    LOOP
      EXECUTE format('DELETE FROM public.%s', name);
      EXECUTE format('INSERT INTO public.%s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM backup.%s', name, columns, columns, name);
    END LOOP;
    ${numbers === 'restored' ? 'PERFORM setval(n.name, n.number, n.is_used) FROM backup.numbers n;' : ''}
  END $$`
}
