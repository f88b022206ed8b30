import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

type Options = { perMinute: number; keyOf: (request: FastifyRequest) => string }

/** A hook that throws `rate_limited` past so many requests a minute for one key, counted in this process. 0 is no limit. */
export async function rateLimiter(
  app: FastifyInstance,
  { perMinute, keyOf }: Options,
): Promise<(request: FastifyRequest) => Promise<void>> {
  if (perMinute === 0) return async () => {}
  await app.register(rateLimit, { global: false })
  const count = app.createRateLimit({ max: perMinute, timeWindow: 60_000, keyGenerator: keyOf })
  return async (request) => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    throw new AppError('rate_limited', `More than ${perMinute} requests a minute. Try again later.`, {
      retryAfterSeconds: counted.ttlInSeconds,
    })
  }
}
