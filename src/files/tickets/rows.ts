import { columnsOf } from '../../database/rows.ts'

export type { UploadTicket } from '../../generated/prisma/client.ts'

export const ticketColumns = columnsOf('UploadTicket', 't')
