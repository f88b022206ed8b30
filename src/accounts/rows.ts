import { columnsOf } from '../database/rows.ts'

export const accountColumns = columnsOf('Account', 'a')
export const operatorTokenColumns = columnsOf('OperatorToken', 'o')
