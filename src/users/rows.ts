import { columnsOf } from '../database/rows.ts'

export type { PersonalAccessToken, User } from '../generated/prisma/client.ts'

export const userColumns = columnsOf('User', 'u')
export const personalTokenColumns = columnsOf('PersonalAccessToken', 'p')
