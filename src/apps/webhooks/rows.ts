import { columnsOf } from '../../database/rows.ts'

export type { Webhook } from '../../generated/prisma/client.ts'

export const webhookColumns = columnsOf('Webhook', 'h')
