import { columnsOf } from '../database/rows.ts'

export const accountColumns = columnsOf('Account', 'a')
export const sessionColumns = columnsOf('Session', 's')
export const operatorTokenColumns = columnsOf('OperatorToken', 'o')
export const signInLinkColumns = columnsOf('SignInLink', 'l')
