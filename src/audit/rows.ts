import { columnsOf } from '../database/rows.ts'

export const auditEntryColumns = columnsOf('AuditEntry', 'e')
