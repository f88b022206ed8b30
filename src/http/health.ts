import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { areCommitsStalled } from '../database/driver/drivers.ts'
import { AppError } from '../errors.ts'
import { built } from '../generated/version.ts'
import { beforeResponse, gauge } from '../platform/metrics.ts'
import { allowOnly } from './allow-only.ts'
import { sendProblem } from './problems.ts'
import type { Warning } from './warnings.ts'

const databaseTimeoutMs = 2000
const quietly = { exposeHeadRoute: true, config: { quiet: true } }

const isUp = gauge('skein_db_up', '1 if the database accepts writes, as `/health/ready` checks it.')
const isStorageUp = gauge('skein_storage_up', '1 if files can be stored, as `/health/ready` checks it.')
const buildInfo = gauge('skein_build_info', 'Always 1.', ['version', 'commit', 'database'])

type HealthOptions = { db: Database; warnings: () => Promise<Warning[]> }

/** `GET /health/live`: the process answers. `GET /health/ready`: it can serve requests, and is not stopping. */
export async function healthRoutes(app: FastifyInstance, { db, warnings }: HealthOptions): Promise<void> {
  const canStore = async () => (await warnings()).every(({ code }) => code !== 'storage')
  const stopReading = [
    beforeResponse(async () => isUp.set((await faultOf(db)) ? 0 : 1)),
    beforeResponse(async () => isStorageUp.set((await canStore()) ? 1 : 0)),
  ]
  app.addHook('onClose', async () => stopReading.forEach((stop) => void stop()))
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/health/live', ['GET', 'HEAD'])
  allowOnly(app, '/health/ready', ['GET', 'HEAD'])
  app.get('/health/live', quietly, async () => ({ status: 'live' }))
  app.get('/health/ready', quietly, async () => {
    if (app.drain.hasBegun)
      throw new AppError('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 })
    const fault = await faultOf(db)
    if (fault) throw new AppError('unavailable', fault, { retryAfterSeconds: 5 })
    const found = await warnings()
    return { status: 'ready', ...(found.length > 0 && { warnings: found }) }
  })
}

// The query also detects a standby server, because a standby server is read-only.
async function faultOf(db: Database): Promise<string | undefined> {
  if (areCommitsStalled(db)) return 'The database completes no writes.'
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

/** `GET /health/version`: the version that runs, and the address that the client has for the limits. The commit is null if it was not known at build time. */
export async function versionRoute(app: FastifyInstance, { database }: Options): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/health/version', ['GET', 'HEAD'])
  const { version, commit } = built
  buildInfo.set({ version, commit: commit ?? '', database }, 1)
  const answer = { ...built, node: process.versions.node, database }
  app.get('/health/version', { exposeHeadRoute: true, config: { quiet: true } }, async ({ ip }) => ({
    ...answer,
    address: ip,
  }))
}
