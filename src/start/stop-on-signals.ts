import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

// npm sends each Ctrl-C twice. A signal that follows the first one within this time is ignored.
const sameSignalMs = 300
// After all connections have been closed, an unavailable database can delay the exit by at most this time.
const exitAfterMs = 2000

/** Stops gracefully on SIGTERM or SIGINT. A second signal ends the process immediately. */
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
    log.warn('the time limit for stopping was reached: closing all connections')
    app.server.closeAllConnections()
    setTimeout(() => process.exit(1), exitAfterMs)
  }, timeoutMs)
  try {
    await app.close()
    clearTimeout(deadline)
    log.info('stopped')
    process.exit(0)
  } catch (err) {
    log.error({ err }, 'stopping failed')
    process.exit(1)
  }
}
