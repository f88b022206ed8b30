import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRateLimits } from '../../src/http/rate-limits/rate-limits.ts'
import { freePort } from '../support/process.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'

const policy = { name: 'calls', quota: 5 }
const charge = { policy, key: 'a' }

async function server(options?: { port?: number; password?: string }): Promise<RedisServer> {
  const redis = await startRedis(options)
  onTestFinished(redis.stop)
  return redis
}

/** Opens the counters of one process, and collects its log lines. */
async function open(url: string) {
  const lines: string[] = []
  const limits = await openRateLimits(
    url,
    pino({ base: undefined }, { write: (line) => void lines.push(line) }),
  )
  onTestFinished(limits.close)
  return { limits, lines }
}

/** Waits until a process counts in Redis again. */
async function untilShared(limits: Awaited<ReturnType<typeof open>>['limits'], redis: Redis): Promise<void> {
  for (let probe = 0; ; probe++) {
    await limits.charge({ policy, key: `probe ${probe}` })
    if ((await redis.exists(`skein:calls:probe ${probe}`)) === 1) return
    await sleep(50)
  }
}

describe.skipIf(!hasRedis)('with Redis', () => {
  test('two processes share a quota, even if a hundred calls come at once', async () => {
    const { url } = await server()
    const [one, other] = [await open(url), await open(url)]
    const charges = Array.from({ length: 100 }, (_, turn) => (turn % 2 ? one : other).limits.charge(charge))
    const refused = (await Promise.all(charges)).filter(({ isRefused }) => isRefused)
    expect(refused.length).toBeGreaterThanOrEqual(95)
    expect(await other.limits.charge({ ...charge, key: 'b' })).toMatchObject({ remaining: 4 })
    expect(await one.limits.charge({ ...charge, key: 'b' })).toMatchObject({ remaining: 3 })
    expect([one.lines, other.lines]).toEqual([[], []])
  })

  test('a key expires within a minute, even if the Redis clock was set back', async () => {
    const { url } = await server()
    const { limits } = await open(url)
    await limits.charge({ ...charge, points: 5 })
    const redis = new Redis(url)
    onTestFinished(() => redis.disconnect())
    await redis.expire('skein:calls:a', 7260)
    expect(await limits.charge(charge)).toMatchObject({ isRefused: true, resetSeconds: 60 })
    expect(await redis.ttl('skein:calls:a')).toBeLessThanOrEqual(60)
  })

  test('a process counts locally while Redis is unavailable, logs it once, and then recovers', async () => {
    const first = await server()
    const { limits, lines } = await open(first.url)
    await limits.charge(charge)
    await first.stop()
    const meanwhile = []
    for (let turn = 0; turn < 6; turn++) meanwhile.push((await limits.charge(charge)).isRefused)
    expect(meanwhile).toEqual([false, false, false, false, false, true])
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'Redis does not respond: rate limits are counted in this process' }),
    ])
    const second = await server({ port: first.port })
    const redis = new Redis(second.url)
    onTestFinished(() => redis.disconnect())
    await untilShared(limits, redis)
  })

  test('calls are not delayed for long if Redis hangs', async () => {
    const redis = await server()
    const { limits } = await open(redis.url)
    await limits.charge(charge)
    redis.child.kill('SIGSTOP')
    onTestFinished(() => void redis.child.kill('SIGCONT'))
    const answers = Array.from({ length: 20 }, (_, turn) =>
      limits.charge({ policy, key: `caller ${turn % 2}` }),
    )
    const answered = await Promise.race([Promise.all(answers), sleep(10_000, 'nothing')])
    if (typeof answered === 'string') throw new Error(answered)
    expect(answered.filter(({ isRefused }) => isRefused)).toHaveLength(10)
  })

  test('a process starts even if Redis cannot be used, and does not log the password', async () => {
    const { limits } = await open(`redis://127.0.0.1:${await freePort()}`)
    expect(await limits.charge(charge)).toMatchObject({ isRefused: false, remaining: 4 })
    const { port } = await server({ password: 'the-right-password' })
    const { limits: locked, lines } = await open(`redis://:a-wrong-password@127.0.0.1:${port}`)
    expect(await locked.charge(charge)).toMatchObject({ isRefused: false, remaining: 4 })
    expect(lines.join('')).toContain('Redis does not respond')
    expect(lines.join('')).not.toContain('a-wrong-password')
  })
})
