import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { built } from '../generated/version.ts'
import { allowOnly } from './allow-only.ts'
import { sendProblem } from './problems.ts'

const databaseTimeoutMs = 2000
const quietly = { exposeHeadRoute: true, config: { quiet: true } }

/** `GET /health/live`: the process answers. `GET /health/ready`: it can serve requests, and is not stopping. */
export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }): Promise<void> {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/health/live', ['GET', 'HEAD'])
  allowOnly(app, '/health/ready', ['GET', 'HEAD'])
  app.get('/health/live', quietly, async () => ({ status: 'live' }))
  app.get('/health/ready', quietly, async () => {
    if (stopping) throw new AppError('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 })
    const fault = await faultOf(db)
    if (fault) throw new AppError('unavailable', fault, { retryAfterSeconds: 5 })
    return { status: 'ready' }
  })
}

// The query also detects a standby server, because a standby server is read-only.
async function faultOf(db: Database): Promise<string | undefined> {
  const silent = 'The database does not respond.'
  const timeout = new Promise<string>((resolve) => setTimeout(resolve, databaseTimeoutMs, silent).unref())
  const answer = db.$queryRaw<{ readOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`.then(
    ([row]) => (row?.readOnly ? 'The database is read-only.' : undefined),
    () => silent,
  )
  return Promise.race([answer, timeout])
}

type Options = { database: 'embedded' | 'postgresql' }

/** `GET /health/version`: the version that runs. The commit is null if it was not known at build time. */
export async function versionRoute(app: FastifyInstance, { database }: Options): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/health/version', ['GET', 'HEAD'])
  const answer = { ...built, node: process.versions.node, database }
  app.get('/health/version', { exposeHeadRoute: true, config: { quiet: true } }, async () => answer)
}
