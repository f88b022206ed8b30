import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import { allowOnly } from './not-allowed.ts'
import type { Database } from './platform/database.ts'
import { sendProblem } from './problems.ts'

const databaseTimeoutMs = 2000
const quietly = { exposeHeadRoute: true, config: { quiet: true } }

/** `GET /health/live`: the process answers. `GET /health/ready`: it can serve, and is not about to stop. */
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
    if (!(await answers(db))) {
      throw new AppError('unavailable', 'The database does not answer.', { retryAfterSeconds: 5 })
    }
    return { status: 'ready' }
  })
}

async function answers(db: Database): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, databaseTimeoutMs, false).unref())
  const query = db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
