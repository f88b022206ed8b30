import { execFileSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { recordBackup } from '../../src/backup/last-backup.ts'
import { inTransaction } from '../../src/database/database.ts'
import { serveMetrics } from '../../src/http/metrics-server.ts'
import { LogOutput } from '../../src/start/log/log-output.ts'
import { measureDataDir } from '../../src/start/measure-data-dir.ts'
import { startSweeping } from '../../src/start/sweeps.ts'
import { makeListeningWorld, postText } from '../feeds/event-endpoints.ts'
import { fires, hasPromtool, rules } from '../support/alarm-rules.ts'
import { atEnd } from '../support/at-end.ts'
import { sameOrigin } from '../support/browser-session.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { samplesAt } from '../support/metrics.ts'
import { freePort, repository } from '../support/process.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { startService } from '../support/service.ts'
import { download, uploadByTicket } from '../support/uploads.ts'

const port = await freePort()
atEnd(await serveMetrics({ host: '127.0.0.1', port }))
const samples = () => samplesAt(`http://127.0.0.1:${port}/metrics`)

/** Checks that the alarm is silent before a fault, and sounds after it. */
async function expectAlarm(alert: string, fault: () => Promise<unknown>, isSlow = false): Promise<void> {
  const before = await samples()
  await fault()
  const after = await samples()
  expect({ before: fires(alert, before, before), after: fires(alert, before, after, isSlow) }).toEqual({
    before: false,
    after: true,
  })
}

describe.skipIf(!hasPromtool)('with promtool', () => {
  test('each rule fires on a series, and not just below its threshold', () => {
    const file = join(repository, 'test/http/alarm-rules.yml')
    expect(execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS')
  })

  test('SkeinDatabaseDown: the database is closed', async () => {
    const service = await startService()
    await expectAlarm('SkeinDatabaseDown', () => service.closeDatabase())
  })

  test('SkeinErrors: requests fail while the database is closed', async () => {
    const service = await startService()
    const world = await makeWorld(service)
    await expectAlarm('SkeinErrors', async () => {
      await service.closeDatabase()
      const { statusCode } = await postToWebhook(service, world.webhook.path, { text: 'x' })
      expect(statusCode).toBe(503)
    })
  })

  test('SkeinConnectionsExhausted: transactions stay open', async () => {
    const { contextOf } = await startService()
    const { db } = contextOf({ kind: 'operator' })
    let resolve = () => {}
    const end = new Promise<void>((done) => {
      resolve = done
    })
    let open: Promise<void>[] = []
    await expectAlarm('SkeinConnectionsExhausted', async () => {
      open = Array.from({ length: 12 }, () => inTransaction(db, () => end))
    })
    resolve()
    await Promise.all(open)
  })

  test('SkeinEventLoopBlocked: the process computes for a second', async () => {
    await samples()
    await expectAlarm('SkeinEventLoopBlocked', async () => {
      // On a busy machine, a hundred short delays can be measured meanwhile. Then one long delay is not in the last percent.
      for (let block = 1; block <= 5; block += 1) {
        const end = performance.now() + 1000
        while (performance.now() < end) {}
        // The delay is measured when the timer of the histogram fires, which is late by it.
        await setTimeout(50)
      }
    })
  })

  test('SkeinEventsLate: nothing moves the events into the log', async () => {
    const service = await startService()
    const world = await makeWorld(service)
    await expectAlarm('SkeinEventsLate', async () => {
      await postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, text: 'x' })
      const { db } = service.contextOf({ kind: 'operator' })
      await db.$executeRaw`UPDATE event_notes SET noted_at = noted_at - interval '1 minute'`
    })
  })

  test('SkeinDeliveriesPileUp: an endpoint fails', async () => {
    const service = await startService(allowsLoopback)
    startDelivering(service)
    const { world, receiver } = await makeListeningWorld(service)
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await expectAlarm(
      'SkeinDeliveriesPileUp',
      async () => {
        for (let post = 0; post < 130; post += 1) await postText(service, world, 'x')
        await expect.poll(async () => (await samples()).get('skein_delivery_backlog')).toBe(130)
      },
      true,
    )
  })

  test('SkeinSignInsRefused: somebody guesses passwords', async () => {
    const { app } = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
    const headers = { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    const payload = 'email=nobody%40example.com&password=wrong'
    await expectAlarm('SkeinSignInsRefused', async () => {
      for (let attempt = 0; attempt < 25; attempt += 1)
        await app.inject({ method: 'POST', url: '/signin', headers, payload })
    })
  })

  test.skipIf(!hasRedis)('SkeinLimitsNotShared: Redis is killed', async () => {
    const redis = await startRedis()
    onTestFinished(redis.stop)
    await startService({ REDIS_URL: redis.url })
    await expect.poll(async () => (await samples()).get('skein_limit_backend_up')).toBe(1)
    await expectAlarm('SkeinLimitsNotShared', async () => {
      await redis.stop()
      await expect.poll(async () => (await samples()).get('skein_limit_backend_up')).toBe(0)
    })
  })

  test('SkeinStorageDown: the directory for uploads is gone', async () => {
    const { dataDir } = await startService()
    await expectAlarm('SkeinStorageDown', async () => {
      await rm(join(dataDir, 'files'), { recursive: true })
      // The last answer is kept for some seconds.
      const later = performance.now() + 6000
      const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
      onTestFinished(() => clock.mockRestore())
    })
  })

  test('SkeinStorageFails: the bytes of a file are deleted', async () => {
    const service = await startService()
    const { token } = (await makeWorld(service)).app
    const file = await uploadByTicket(service, token, 'bytes')
    await expectAlarm('SkeinStorageFails', async () => {
      await rm(join(service.dataDir, 'files'), { recursive: true })
      await download(service, file)
    })
  })

  test.skipIf(!canMount())('SkeinDiskFull: the disk fills up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skein-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    onTestFinished(measureDataDir(folder))
    onTestFinished(() => void execFileSync('umount', [folder]))
    await expectAlarm('SkeinDiskFull', async () => {
      execFileSync('dd', ['if=/dev/zero', `of=${folder}/bytes`, 'bs=1k', 'count=970'], { stdio: 'ignore' })
    })
  })

  test('SkeinBackupOld: no backup was written for three days', async () => {
    const { dataDir } = await startService()
    onTestFinished(measureDataDir(dataDir))
    await recordBackup(dataDir)
    await expectAlarm('SkeinBackupOld', async () => {
      const threeDaysAgo = Date.now() / 1000 - 3 * 86_400
      await utimes(join(dataDir, 'last-backup'), threeDaysAgo, threeDaysAgo)
    })
  })

  test('SkeinSweepLate: sweeps fail for hours', async () => {
    const service = await startService()
    const { db, config, storage, log } = service.contextOf({ kind: 'operator' })
    await service.closeDatabase()
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    // The clock of promtool begins at 0.
    vi.setSystemTime(0)
    onTestFinished(startSweeping({ db, config, storage, log: log as never }))
    vi.advanceTimersByTime(60 * 60 * 1000)
    await expect.poll(() => service.log.some((line) => line.includes('the sweep failed'))).toBe(true)
    const kind = 'skein_sweep_last_success_timestamp_seconds{kind="sessions"}'
    expect((await samples()).get(kind)).toBe(0)
  })

  test('SkeinLogLinesDropped: nothing takes the log', async () => {
    await expectAlarm('SkeinLogLinesDropped', async () => {
      const output = new LogOutput(openSync('/dev/full', 'w'), () => '')
      for (let line = 0; line < 200; line += 1) output.write('x'.repeat(10_000))
    })
  })
})

test('every rule has a fault, except the one that Prometheus itself notices', () => {
  const text = readFileSync(import.meta.filename, 'utf8')
  expect([...rules.keys()].filter((alert) => !text.includes(`('${alert}: `))).toEqual(['SkeinDown'])
})

test('the rules and the dashboard name only metrics that docs/metrics.md lists', () => {
  const read = (file: string) => readFileSync(join(repository, 'docs', file), 'utf8')
  const namesIn = (text: string) =>
    [...text.matchAll(/\bskein_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
  const listed = new Set(namesIn(read('metrics.md')))
  const used = [
    ...namesIn(read('deploy/prometheus-alerts.yml')),
    ...namesIn(read('deploy/grafana-dashboard.json')),
  ]
  expect(used.length).toBeGreaterThan(40)
  expect(used.filter((name) => !listed.has(name))).toEqual([])
})

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'true'])
    return true
  } catch {
    return false
  }
}
