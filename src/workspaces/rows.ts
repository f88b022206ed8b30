import { columnsOf } from '../database/rows.ts'

export type { Workspace } from '../generated/prisma/client.ts'

export const workspaceColumns = columnsOf('Workspace', 'w')
