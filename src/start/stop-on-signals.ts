import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

// npm sends each Ctrl-C twice. A signal that follows the first one within this time is ignored.
const sameSignalMs = 300
// After all connections have been closed, an unavailable database can delay the exit by at most this time.
const exitAfterMs = 2000

type StopTimes = { shutdownDelaySeconds: number; shutdownTimeoutSeconds: number }

/** Stops gracefully on SIGTERM or SIGINT. A second signal ends the process immediately. */
export function stopOnSignals(app: FastifyInstance, log: Logger, times: StopTimes): void {
  let stoppingSince: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    void stop(app, log, times)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function stop(app: FastifyInstance, log: Logger, times: StopTimes): Promise<void> {
  // A load balancer needs this time to notice that the process is not ready.
  await app.drain.begin(times.shutdownDelaySeconds * 1000)
  const deadline = setTimeout(() => {
    log.warn('the time limit for stopping was reached: closing all connections')
    app.server.closeAllConnections()
    setTimeout(() => process.exit(1), exitAfterMs)
  }, times.shutdownTimeoutSeconds * 1000)
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
