import { columnsOf } from '../database/rows.ts'

export type { User } from '../generated/prisma/client.ts'

export const userColumns = columnsOf('User', 'u')
