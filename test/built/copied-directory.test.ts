import { once } from 'node:events'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, newDataDir, type RunningProcess, runToEnd, startProcess } from '../support/process.ts'

async function copyOf({ dataDir }: RunningProcess): Promise<string> {
  const copy = await newDataDir()
  await cp(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return copy
}

async function kill({ child }: RunningProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'close')
}

test('a copy that was made while the service ran does not start without --accept-copy', {}, async () => {
  const service = await startProcess()
  const copy = await copyOf(service)
  await kill(service)
  const refused = await runToEnd({ DATA_DIR: copy, PORT: String(await freePort()) })
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(
    /^The embedded database in \S+ cannot be opened: it is a copy .*--accept-copy\.\n$/,
  )
  const accepted = await startProcess({ DATA_DIR: copy }, ['--accept-copy'])
  await kill(accepted)
  const again = await startProcess({ DATA_DIR: copy })
  expect(await again.stop()).toBe(0)
  const original = await startProcess({ DATA_DIR: service.dataDir })
  expect(await original.stop()).toBe(0)
})

test('a copy that was made after the service had stopped starts, with the secrets', async () => {
  const service = await startProcess()
  expect(await service.stop()).toBe(0)
  const copy = await startProcess({ DATA_DIR: await copyOf(service) })
  const starter = JSON.parse(await readFile(join(copy.dataDir, 'starter.json'), 'utf8'))
  const response = await fetch(copy.url + new URL(starter.webhookURL).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target: starter.groupID, text: 'hello' }),
  })
  expect(response.status).toBe(200)
  await copy.stop()
})
