import { columnsOf } from '../database/rows.ts'
import { type File, Prisma } from '../generated/prisma/client.ts'

/** A file, with the time of the database at which it was read. The links to the file expire by this time. */
export type FileRow = File & { readAt: Date }

export const fileColumns = Prisma.sql`${columnsOf('File', 'f')}, now() AS "readAt"`
