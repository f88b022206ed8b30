import { columnsOf } from '../database/rows.ts'

export type { App, Grant, Installation } from '../generated/prisma/client.ts'

export const appColumns = columnsOf('App', 'a')
export const installationColumns = columnsOf('Installation', 'i')
export const grantColumns = columnsOf('Grant', 'g')
