import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLineProgram, type RunningProcess, startProcess } from '../support/process.ts'

let before: RunningProcess
let service: RunningProcess

beforeAll(async () => {
  before = await startProcess({ WEBHOOK_BASE_URL: 'http://127.0.0.1:1/hooks' })
  await before.stop()
  await chmod(pathOf('starter.json'), 0o640)
  service = await startProcess({ DATA_DIR: before.dataDir })
})
afterAll(() => service.stop())

const pathOf = (name: string) => join(before.dataDir, name)
const starter = async () => JSON.parse(await readFile(pathOf('starter.json'), 'utf8'))

/** Runs the command line as in another terminal. It can find the service only by the data directory. */
async function skein(...words: string[]): Promise<string> {
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [commandLineProgram, ...words], {
    cwd: dirname(before.dataDir),
    env: { PATH },
  })
  return stdout
}

test('a start on another port updates the URLs in starter.json', async () => {
  const { baseURL, webhookURL, groupID } = await starter()
  const local = service.url.replace('127.0.0.1', 'localhost')
  expect([baseURL, webhookURL]).toEqual([local, expect.stringMatching(`^${local}/webhook/wbh_`)])
  const body = JSON.stringify({ target: groupID, text: 'hello' })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(webhookURL, { method: 'POST', headers, body })).status).toBe(200)
  expect((await stat(pathOf('starter.json'))).mode & 0o777).toBe(0o640)
  expect((await readdir(before.dataDir)).filter((name) => name.startsWith('starter'))).toEqual([
    'starter.json',
  ])
})

test('the command line finds the running service by its data directory', async () => {
  expect(await skein('workspaces', 'list')).toContain('Skein starter')
  expect(await skein('welcome')).toContain(`Skein is running at ${(await starter()).baseURL}`)
  expect(await skein('send', 'Builds', 'hello')).toContain('msg_')
})

test('the file with the address exists only while the service runs', async () => {
  expect(await readFile(pathOf('address'), 'utf8')).toBe(`${(await starter()).baseURL}\n`)
  await service.stop()
  await expect(stat(pathOf('address'))).rejects.toThrow('ENOENT')
})
