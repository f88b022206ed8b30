import pg from 'pg'

const inFailedTransaction = '25P02'

/** Fails a COMMIT that PostgreSQL answers with ROLLBACK and no error, because Prisma treats that answer as success. */
export class CheckedClient extends pg.Client {}

const checkedQuery = function (this: pg.Client, ...args: unknown[]): unknown {
  const result: unknown = Reflect.apply(pg.Client.prototype.query, this, args)
  return result instanceof Promise && isCommit(args[0]) ? result.then(requireCommit) : result
}
CheckedClient.prototype.query = checkedQuery as typeof CheckedClient.prototype.query

function isCommit(statement: unknown): boolean {
  const text = typeof statement === 'object' && statement ? Reflect.get(statement, 'text') : statement
  return text === 'COMMIT'
}

function requireCommit(result: pg.QueryResult): pg.QueryResult {
  if (result.command === 'COMMIT') return result
  const message = 'The transaction was rolled back because one of its statements failed'
  throw Object.assign(new Error(message), { code: inFailedTransaction, severity: 'ERROR' })
}
