import { Prisma } from '../generated/prisma/client.ts'

/**
 * The time of the database, with the precision of the columns. Otherwise PostgreSQL could round the time up when it
 * stores it, and a queue that is due now would not be due for the next statement.
 */
export const databaseTime = Prisma.sql`date_trunc('milliseconds', now())`

export function databaseTimeIn(ms: number): Prisma.Sql {
  return Prisma.sql`${databaseTime} + ${ms}::float8 * interval '1 millisecond'`
}
