import { columnsOf } from '../database/rows.ts'

export const accountColumns = columnsOf('Account', 'a')
