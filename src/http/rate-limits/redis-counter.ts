import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { MemoryCounter, windowSeconds } from './memory-counter.ts'

const firstConnectionMs = 500
// A connection that receives nothing for this time is replaced. No command waits longer.
const silenceMs = 1000
const reconnectMs = 1000
const logEveryMs = 60_000

// Redis expires keys by its wall clock. If the clock is set back, the next point restarts the window.
const addPoints = `
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local points = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  local window = 1000 * ARGV[2]
  if left < 0 or left > window then
    redis.call('pexpire', KEYS[1], window)
    left = window
  end
  return {points, left}`

/** Counts points in Redis, for all processes. While Redis is unavailable, counts in this process and logs a warning. */
export async function redisCounter(url: string, log: FastifyBaseLogger, onState: (isUp: boolean) => void) {
  const client = new Redis(url, {
    connectTimeout: silenceMs,
    commandTimeout: silenceMs,
    socketTimeout: silenceMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => reconnectMs,
  })
  let reason: string | undefined
  // Logs only the message, because the error contains the command, and an AUTH command contains the password.
  client.on('error', (error: Error) => {
    reason = error.message
  })
  const counter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'skein',
    points: 0,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: addPoints,
    insuranceLimiter: new FallbackCounter(() =>
      log.warn({ reason }, 'Redis does not respond: rate limits are counted in this process'),
    ),
  })
  client.on('ready', () => onState(true))
  client.on('close', () => onState(false))
  await Promise.race([once(client, 'ready'), sleep(firstConnectionMs)]).catch(() => undefined)
  return { counter, close: () => client.disconnect() }
}

class FallbackCounter extends MemoryCounter {
  readonly #report: () => void
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(report: () => void) {
    super()
    this.#report = report
  }

  override penalty(key: string, points: number): Promise<RateLimiterRes> {
    if (performance.now() - this.#reportedAt >= logEveryMs) {
      this.#reportedAt = performance.now()
      this.#report()
    }
    return super.penalty(key, points)
  }
}
