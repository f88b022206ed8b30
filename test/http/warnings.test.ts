import type { StatsFs } from 'node:fs'
import fs, { rename } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serveMetrics } from '../../src/http/metrics-server.ts'
import { atEnd } from '../support/at-end.ts'
import { samplesAt } from '../support/metrics.ts'
import { freePort } from '../support/process.ts'
import { startService } from '../support/service.ts'

// The tests need disks of many sizes. This one has 1 MiB in each block.
const disk = { bsize: 1024 ** 2, blocks: 0, bavail: 0, bfree: 0 }
const asked = vi.spyOn(fs, 'statfs').mockImplementation(async () => disk as StatsFs)
syncBuiltinESMExports()

const service = await startService()
const port = await freePort()
atEnd(await serveMetrics({ host: '127.0.0.1', port }))

function setDisk(gibibytes: number, free: number): void {
  Object.assign(disk, { blocks: gibibytes * 1024, bavail: free * 1024, bfree: free * 1024 })
}

// An answer is kept for some seconds.
const { now } = performance
let skippedMs = 0
const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + skippedMs)
atEnd(() => {
  for (const spy of [asked, clock]) spy.mockRestore()
  syncBuiltinESMExports()
})

async function ready(): Promise<{ status: number; warnings: { code: string; detail: string }[] }> {
  skippedMs += 6000
  const answer = await service.app.inject('/health/ready')
  return { status: answer.statusCode, warnings: answer.json().warnings ?? [] }
}

test.each([
  [100, 4.9, ['The disk of DATA_DIR has only 4.9 GiB left.']],
  [100, 5.1, []],
  [20, 1.9, ['The disk of DATA_DIR has only 1.9 GiB left.']],
  [20, 2.1, []],
])('of a disk of %d GiB, %d GiB are free: ready has the warnings %j', async (size, free, details) => {
  setDisk(size, free)
  const warnings = details.map((detail) => ({ code: 'disk', detail }))
  expect(await ready()).toEqual({ status: 200, warnings })
})

test('while files cannot be stored, ready has a warning and skein_storage_up is 0', async () => {
  setDisk(100, 90)
  const isUp = async () => (await samplesAt(`http://127.0.0.1:${port}/metrics`)).get('skein_storage_up')
  expect([await ready(), await isUp()]).toEqual([{ status: 200, warnings: [] }, 1])
  const incoming = join(service.dataDir, 'files/incoming')
  await rename(incoming, `${incoming}-away`)
  const warnings = [{ code: 'storage', detail: 'Files cannot be stored.' }]
  expect([await ready(), await isUp()]).toEqual([{ status: 200, warnings }, 0])
  await rename(`${incoming}-away`, incoming)
  expect([await ready(), await isUp()]).toEqual([{ status: 200, warnings: [] }, 1])
})
