import type { FastifyInstance } from 'fastify'
import { built } from '../../generated/version.ts'
import { allowOnly } from '../allow-only.ts'
import { sendProblem } from '../problems.ts'

type Options = { database: 'embedded' | 'postgresql' }

/** `GET /health/version`: the version that runs. The commit is null if it was not known at build time. */
export async function versionRoute(app: FastifyInstance, { database }: Options): Promise<void> {
  app.setErrorHandler(sendProblem)
  allowOnly(app, '/health/version', ['GET', 'HEAD'])
  const answer = { ...built, node: process.versions.node, database }
  app.get('/health/version', { exposeHeadRoute: true, config: { quiet: true } }, async () => answer)
}
