import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeEndpoint } from '../feeds/event-endpoints.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { makeWorld, say } from '../support/factories.ts'
import { freePort, repository } from '../support/process.ts'
import { startService } from '../support/service.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

test('the receiver of docs/outbound-webhooks.md prints the messages that arrive', async () => {
  const page = readFileSync(join(repository, 'docs/outbound-webhooks.md'), 'utf8')
  const [, program = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'skein-receiver-'))
  await writeFile(join(folder, 'receiver.mjs'), program)
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const world = await makeWorld(service)
  const port = await freePort()
  const { secret } = await makeEndpoint(
    service,
    { url: `http://127.0.0.1:${port}/` },
    { appID: world.app.id },
  )
  const env = { PATH: process.env.PATH, PORT: String(port), SECRET: secret }
  const receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env })
  onTestFinished(async () => {
    receiver.kill()
    await rm(folder, { recursive: true })
  })
  let printed = ''
  receiver.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(({ status }) => status)
  await expect.poll(() => isListening().catch(() => 0)).toBe(401)
  await say(world.as(world.ada.id), [world.publicGroup.id], 'Hello')
  service.app.eventLog.wake()
  await expect.poll(() => printed).toBe('Ada: Hello\n')
})
