import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { toAppError } from '../errors.ts'

/** An outage has ended when nothing has failed because of it for this long. */
const quietMs = 10_000

type Outage = { failures: number; beganAt: number; endTimer: NodeJS.Timeout }

const outagesOf = new WeakMap<FastifyBaseLogger, Map<string, Outage>>()

/**
 * Logs a failure. If something is unavailable, such as the database, logs only the first failure and the end of the
 * outage, because thousands of requests can fail for the same reason.
 */
export function logFailure(
  log: FastifyBaseLogger,
  err: unknown,
  text: string,
  level: 'warn' | 'error',
): void {
  const { code, message: reason } = toAppError(err)
  if (code !== 'unavailable') return void log[level]({ err }, text)
  const outages = outagesOf.get(log) ?? new Map<string, Outage>()
  outagesOf.set(log, outages)
  const known = outages.get(reason)
  if (known) {
    known.failures += 1
    known.endTimer.refresh()
    return
  }
  log[level]({ reason, err }, `an outage has begun: ${text}`)
  const end = () => {
    outages.delete(reason)
    const seconds = Math.round((performance.now() - outage.beganAt - quietMs) / 1000)
    log.info({ reason, failures: outage.failures, seconds }, 'the outage has ended')
  }
  const outage = { failures: 1, beganAt: performance.now(), endTimer: setTimeout(end, quietMs).unref() }
  outages.set(reason, outage)
}

/** Returns a function that logs failures of work for which no caller waits. */
export function warnOf(log: FastifyBaseLogger, text: string): (error: unknown) => void {
  return (error) => logFailure(log, error, text, 'warn')
}

/** Logs the failure of a request. Unless it belongs to an outage, the line has the request ID. */
export function logRequestFailure(
  { log, server }: FastifyRequest,
  error: unknown,
  text = 'the request failed',
): void {
  const isOutage = toAppError(error).code === 'unavailable'
  logFailure(isOutage ? server.log : log, error, text, 'error')
}
