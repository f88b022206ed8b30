import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { makeEndpoint } from '../feeds/event-endpoints.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { examplesIn } from '../support/examples.ts'
import { makeWorld } from '../support/factories.ts'
import { compileProgram, installTarball } from '../support/installed-sdk.ts'
import { startLiveService } from '../support/live-service.ts'
import { freePort, repository } from '../support/process.ts'
import { isTested } from '../support/programs.ts'

const service = await startLiveService(allowsLoopback)
startDelivering(service)

const page = readFileSync(join(repository, 'docs/buttons.md'), 'utf8')
const python = '/usr/bin/python3'
const exampleIn = (language: string) => examplesIn(page, language)[0] ?? ''

type WriteProgram = (folder: string) => Promise<[string, ...string[]]>

/** Each writes its program into a folder, and returns the command that runs it. */
const programs: Record<string, WriteProgram> = {
  TypeScript: async (folder) => {
    await installTarball(folder)
    for (const name of ['standardwebhooks', '@types'])
      await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
    await compileProgram(folder, exampleIn('ts'))
    return [process.execPath, 'program.mjs']
  },
}
if (isTested(python))
  programs.Python = async (folder) => {
    await writeFile(join(folder, 'deploy.py'), exampleIn('python'))
    return [python, 'deploy.py']
  }

test.each(
  Object.entries(programs),
)('the deploy in %s of docs/buttons.md runs again when Ada presses its button', async (_language, writeProgram) => {
  const world = await makeWorld(service)
  const { db } = world.operator
  const port = await freePort()
  const { secret } = await makeEndpoint(
    service,
    { url: `http://127.0.0.1:${port}/` },
    { webhookID: world.webhook.id, types: ['messageButtonPressed'] },
  )
  const folder = await mkdtemp(join(tmpdir(), 'skein-buttons-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [program, ...args] = await writeProgram(folder)
  const env = {
    PATH: process.env.PATH,
    WEBHOOK_URL: new URL(world.webhook.path, service.url).href,
    GROUP_ID: world.publicGroup.id,
    SECRET: secret,
    PORT: String(port),
  }
  const running = spawn(program, args, { cwd: folder, env, stdio: 'inherit' })
  onTestFinished(() => void running.kill())
  const shown = async () => {
    const { workspaceID, webhook } = world
    const [message, ...more] = await db.message.findMany({ where: { workspaceID, authorID: webhook.userID } })
    expect(more).toEqual([])
    return message
  }
  await expect.poll(async () => (await shown())?.text).toBe('Run 1 failed')
  const message = await shown()
  expect(message).toMatchObject({ state: 'failed', buttons: [{ id: 'rerun-1', label: 'Re-run' }] })
  const press = {
    messageID: message?.id ?? '',
    buttonID: 'rerun-1',
    buttonsRevision: message?.buttonsRevision ?? 0,
    clientKey: 'one',
  }
  await pressButton(world.as(world.ada.id), press)
  await expect.poll(shown).toMatchObject({ text: 'Run 2 is done', state: 'ok', buttons: [] })
  // A forged event runs nothing.
  const forged = {
    method: 'POST',
    body: JSON.stringify({ type: 'message.buttonPressed', event: { buttonID: 'rerun-2' } }),
  }
  expect((await fetch(`http://127.0.0.1:${port}/`, forged)).status).toBe(401)
})
