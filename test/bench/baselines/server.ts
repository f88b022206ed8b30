import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { pino } from 'pino'

/** Logs one line for each response, as the service does. */
export function bareFastify(): FastifyInstance {
  const app = Fastify({
    loggerInstance: pino({ base: undefined, level: 'info' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
  app.get('/health/ready', async () => ({ status: 'ready' }))
  return app
}

export async function listen(app: FastifyInstance): Promise<void> {
  process.once('SIGTERM', () => process.exit(0))
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
}
