import pg from 'pg'

const inFailedTransaction = '25P02'

/**
 * A client whose COMMIT fails when PostgreSQL has rolled the transaction back, because a statement of it had failed.
 * PostgreSQL answers that COMMIT with ROLLBACK and no error, which Prisma takes for success.
 */
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
  const message = 'The transaction was rolled back: a statement of it had failed'
  throw Object.assign(new Error(message), { code: inFailedTransaction, severity: 'ERROR' })
}
