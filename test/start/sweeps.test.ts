import { expect, onTestFinished, test, vi } from 'vitest'
import { startSweeping } from '../../src/start/sweeps.ts'
import { makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const minute = 60_000
const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const

test.each([
  { random: 0, minutes: 1 },
  { random: 1, minutes: 6 },
])('the first sweep is $minutes minutes after the start, and the next ones are every hour', async ({
  random,
  minutes,
}) => {
  const service = await startService()
  const world = await makeWorld(service)
  const { db, config, storage, log } = world.operator
  const { email } = await signedIn(service, world, 'member')
  const account = await db.account.findUniqueOrThrow({ where: { email } })
  const expire = () => db.$executeRaw`UPDATE sessions SET expires_at = now() - interval '1 second'`
  const sessions = () => db.session.count({ where: { accountID: account.id } })
  await expire()
  vi.useFakeTimers({ toFake: [...timers] })
  onTestFinished(() => void vi.useRealTimers())
  const spy = vi.spyOn(Math, 'random').mockReturnValue(random)
  const stop = startSweeping({ db, config, storage, log: log as never })
  spy.mockRestore()
  vi.advanceTimersByTime((minutes - 0.1) * minute)
  expect(await sessions()).toBe(1)
  vi.advanceTimersByTime(0.2 * minute)
  await expect.poll(sessions).toBe(0)
  await signedIn(service, world, 'member')
  await expire()
  // A sweep that is due while the first one still runs is left out. The pauses leave time for it.
  const sessionsAnHourLater = () => {
    vi.advanceTimersByTime(60 * minute)
    return db.session.count()
  }
  await expect.poll(sessionsAnHourLater, { interval: 2000 }).toBe(0)
  await stop()
})
