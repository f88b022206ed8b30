import { afterAll, describe, expect, test, vi } from 'vitest'
import { Notifications } from '../../src/database/notifications.ts'
import { testDatabase } from '../support/database.ts'
import { onServer } from '../support/global-setup.ts'

const channel = 'skein_test'
/** Selects the connections for notifications. The connections of pools run other statements. */
const ofNotifications =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ 'LISTEN|pg_notify' AND pid <> pg_backend_pid()"
const limit = { timeout: 30_000 }

describe.runIf(process.env.TEST_DATABASE_URL)('a notification', async () => {
  if (!process.env.TEST_DATABASE_URL) return
  const { url = '', close } = await testDatabase()
  const [one, other] = [new Notifications(url), new Notifications(url)]
  const [toOne, toOther] = [vi.fn(), vi.fn()]
  one.on(channel, toOne)
  other.on(channel, toOther)
  one.start()
  other.start()
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()])
    await close()
  })

  test('reaches the other process once, and does not reach the process that sent it', async () => {
    await expect.poll(() => onServer(url, ofNotifications), limit).toHaveLength(2)
    for (let count = 0; count < 3; count += 1) one.send(channel, 'from one')
    await expect.poll(() => toOther.mock.calls, limit).toContainEqual(['from one'])
    other.send(channel, 'from other')
    await expect.poll(() => toOne.mock.calls, limit).toContainEqual(['from other'])
    expect(toOther.mock.calls.filter(([payload]) => payload === 'from one')).toHaveLength(1)
    expect(toOne).not.toHaveBeenCalledWith('from one')
  })

  test('reaches a process that had lost its connection', async () => {
    const before = await onServer(url, ofNotifications)
    toOther.mockClear()
    await onServer(url, `SELECT pg_terminate_backend(pid) FROM (${ofNotifications}) AS own`)
    // An empty notification tells the process that it may have missed something.
    await expect.poll(() => toOther.mock.calls, limit).toContainEqual([''])
    await expect.poll(() => onServer(url, ofNotifications), limit).toHaveLength(2)
    expect(await onServer(url, ofNotifications)).not.toEqual(before)
    toOther.mockClear()
    await expect
      .poll(() => {
        one.send(channel, 'again')
        return toOther.mock.calls
      }, limit)
      .toContainEqual(['again'])
  })
})
