import { columnsOf } from '../database/rows.ts'

export type { Thread } from '../generated/prisma/client.ts'

export const threadColumns = columnsOf('Thread', 't')
