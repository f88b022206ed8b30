import { Prisma } from '../../generated/prisma/client.ts'

/** Returns the condition that the file of a row is attached to a message. The row has `workspace_id` and `id`. */
export function isAttached(file: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM attachments a WHERE a.workspace_id = ${file}.workspace_id AND a.file_id = ${file}.id OFFSET 0)`
}
