import { expect, test } from 'vitest'
import { serveMetrics } from '../../src/http/metrics-server.ts'
import { atEnd } from '../support/at-end.ts'
import { samplesAt } from '../support/metrics.ts'
import { freePort } from '../support/process.ts'
import { startService } from '../support/service.ts'

test('a gauge that cannot be read is missing, and the database is shown as down', async () => {
  const service = await startService()
  const port = await freePort()
  atEnd(await serveMetrics({ host: '127.0.0.1', port }))
  const url = `http://127.0.0.1:${port}/metrics`
  const before = await samplesAt(url)
  expect([before.get('skein_db_up'), before.get('skein_event_lag_seconds')]).toEqual([1, 0])
  await service.closeDatabase()
  const found = await samplesAt(url)
  expect(found.get('skein_db_up')).toBe(0)
  for (const name of ['skein_event_lag_seconds', 'skein_delivery_backlog'])
    expect(found.has(name)).toBe(false)
})
