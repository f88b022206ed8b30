import Fastify from 'fastify'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sendProblem } from '../../src/http/problems.ts'
import { MemoryCounter } from '../../src/http/rate-limits/memory-counter.ts'
import { type Policy, RateLimits } from '../../src/http/rate-limits/rate-limits.ts'
import { spend } from '../../src/http/rate-limits/spend.ts'

const hourMs = 60 * 60 * 1000
const cost = { name: 'cost', quota: 100, unit: 'points' }
const calls = { name: 'calls', quota: 2 }

afterEach(() => void vi.useRealTimers())

describe('a charge', () => {
  test('takes its points, and is refused if fewer points are left', async () => {
    const limits = new RateLimits()
    const charge = (points: number) => limits.charge({ policy: cost, key: 'a', points })
    expect(await charge(70)).toMatchObject({ isRefused: false, remaining: 30, resetSeconds: 60 })
    expect(await charge(31)).toMatchObject({ isRefused: true, remaining: 30 })
    expect(await charge(30)).toMatchObject({ isRefused: false, remaining: 0 })
    expect(await charge(1)).toMatchObject({ isRefused: true, remaining: 0 })
  })

  test('is counted for its key and policy only', async () => {
    const limits = new RateLimits()
    await limits.charge({ policy: cost, key: 'a', points: 100 })
    expect(await limits.charge({ policy: cost, key: 'b' })).toMatchObject({ remaining: 99 })
    expect(await limits.charge({ policy: calls, key: 'a' })).toMatchObject({ remaining: 1 })
  })

  test('does not exceed the quota if a hundred charges come at once', async () => {
    const limits = new RateLimits()
    const balances = await Promise.all(
      Array.from({ length: 100 }, () => limits.charge({ policy: cost, key: 'a', points: 3 })),
    )
    expect(balances.filter(({ isRefused }) => !isRefused)).toHaveLength(33)
    expect(await limits.charge({ policy: cost, key: 'a', points: 0 })).toMatchObject({ remaining: 1 })
  })

  test('is undone by a refund', async () => {
    const limits = new RateLimits()
    await limits.charge({ policy: cost, key: 'a', points: 60 })
    await limits.refund({ policy: cost, key: 'a', points: 60 })
    expect(await limits.charge({ policy: cost, key: 'a', points: 0 })).toMatchObject({ remaining: 100 })
  })

  test('is never refused if the quota is 0', async () => {
    const limits = new RateLimits()
    const charge = { policy: { name: 'none', quota: 0 }, key: 'a', points: 1e9 }
    expect(await limits.charge(charge)).toMatchObject({ isRefused: false })
  })
})

describe('the window of a minute', () => {
  test('ends after a minute, and the next charge begins a new one', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const limits = new RateLimits()
    const charge = () => limits.charge({ policy: cost, key: 'a', points: 100 })
    await charge()
    vi.advanceTimersByTime(59_000)
    expect(await charge()).toMatchObject({ isRefused: true, resetSeconds: 1 })
    vi.advanceTimersByTime(1000)
    expect(await charge()).toMatchObject({ isRefused: false })
  })

  test('keeps its length when the clock is set back by two hours', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const limits = new RateLimits()
    const charge = () => limits.charge({ policy: cost, key: 'a', points: 100 })
    await charge()
    vi.setSystemTime(Date.now() - 2 * hourMs)
    const refused = await charge()
    expect(refused).toMatchObject({ isRefused: true, resetSeconds: 60 })
    vi.advanceTimersByTime(60_000)
    expect(await charge()).toMatchObject({ isRefused: false, resetSeconds: 60 })
  })

  test('is dropped for the least recently used key if there are more than 100,000 keys', async () => {
    const limits = new RateLimits()
    const charge = (key: string) => limits.charge({ policy: calls, key })
    await charge('old')
    await charge('kept')
    for (let number = 0; number < 99_998; number++) await charge(`new ${number}`)
    await charge('kept')
    await charge('one more')
    expect(await charge('kept')).toMatchObject({ isRefused: true })
    expect(await charge('old')).toMatchObject({ remaining: 1 })
  })
})

describe('spending', () => {
  const teamCost = { ...cost, name: 'team-cost', quota: 150 }

  /** Starts a server that spends a call, and the points in the header from the quotas of a caller and of its team. */
  function startSpending() {
    const limits = new RateLimits()
    const app = Fastify()
    onTestFinished(() => app.close())
    app.decorate('baseURL', 'http://localhost')
    app.setErrorHandler(sendProblem)
    app.get<{ Params: { key: string } }>('/:key', async (request, reply) => {
      const { key } = request.params
      const points = Number(request.headers.points)
      await spend(limits, reply, [{ policy: calls, key }])
      await spend(limits, reply, [
        { policy: cost, key, points },
        { policy: teamCost, key: 'team', points },
      ])
      return {}
    })
    const send = (points: number, key = 'a') =>
      app.inject({ url: `/${key}`, headers: { points: String(points) } })
    const left = async (policy: Policy, key: string) =>
      (await limits.charge({ policy, key, points: 0 })).remaining
    return { send, left }
  }

  test('is reported in the headers of the IETF draft, with one item for each policy', async () => {
    const { send } = startSpending()
    const { statusCode, headers } = await send(60)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'ratelimit-policy':
        '"calls";q=2;w=60, "cost";q=100;qu="points";w=60, "team-cost";q=150;qu="points";w=60',
      ratelimit: '"calls";r=1;t=60, "cost";r=40;t=60, "team-cost";r=90;t=60',
    })
  })

  test('returns 429 if the first policy refuses, and then takes no points', async () => {
    const { send, left } = startSpending()
    await send(60)
    const refused = await send(70)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(
        /^Rate limit exceeded: at most 100 points per minute\. Try again in \d+ s\.$/,
      ),
    })
    expect({ own: await left(cost, 'a'), team: await left(teamCost, 'team') }).toEqual({ own: 40, team: 90 })
    const exhausted = await send(1)
    expect(exhausted.headers.ratelimit).toMatch(/^"calls";r=0;t=\d+$/)
  })

  test('returns 429 if a later policy refuses, and then returns the points of the earlier policies', async () => {
    const { send, left } = startSpending()
    await send(100, 'a')
    const refused = await send(60, 'b')
    expect(refused.statusCode).toBe(429)
    expect(refused.json().detail).toContain('at most 150 points per minute')
    expect({ own: await left(cost, 'b'), team: await left(teamCost, 'team') }).toEqual({ own: 100, team: 50 })
  })

  test('does not charge the policies after a policy that refuses', async () => {
    const counter = new MemoryCounter()
    const penalty = vi.spyOn(counter, 'penalty')
    const own = { policy: cost, key: 'a', points: 101 }
    const shared = { policy: { ...teamCost, quota: 1000 }, key: 'team', points: 101 }
    const { balances } = await new RateLimits(counter).chargeAll([own, shared])
    expect(balances).toMatchObject([{ policy: cost, isRefused: true, remaining: 100 }])
    expect(penalty.mock.calls).toEqual([['cost:a', 101]])
  })
})
