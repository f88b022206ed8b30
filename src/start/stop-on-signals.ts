import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

const sameSignalMs = 300
/** What a database that is unavailable may still take, after all connections have been cut. */
const lastCallMs = 2000

/**
 * Stops on SIGTERM and SIGINT: no new connections, then the requests in flight get their answers, or are cut off at
 * the time limit. A second signal exits at once; but npm passes on the Ctrl-C that the terminal sends to all, so the
 * same one arrives twice.
 */
export function stopOnSignals(app: FastifyInstance, log: Logger, timeoutSeconds: number): void {
  let stoppingSince: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    void stop(app, log, timeoutSeconds * 1000)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function stop(app: FastifyInstance, log: Logger, timeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => {
    log.warn('the time limit for stopping is over: connections are cut')
    app.server.closeAllConnections()
    setTimeout(() => process.exit(1), lastCallMs)
  }, timeoutMs)
  try {
    await app.close()
    clearTimeout(deadline)
    log.info('stopped')
    process.exit(0)
  } catch (err) {
    log.error({ err }, 'stopped badly')
    process.exit(1)
  }
}
