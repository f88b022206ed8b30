import { columnsOf } from '../database/rows.ts'

export type { File } from '../generated/prisma/client.ts'

export const fileColumns = columnsOf('File', 'f')
