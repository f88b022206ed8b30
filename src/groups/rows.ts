import { columnsOf } from '../database/rows.ts'

export type { Group } from '../generated/prisma/client.ts'

export const groupColumns = columnsOf('Group', 'g')
