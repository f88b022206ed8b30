import { columnsOf } from '../database/rows.ts'

export type { App, Installation } from '../generated/prisma/client.ts'

export const appColumns = columnsOf('App', 'a')
export const installationColumns = columnsOf('Installation', 'i')
