import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockDirectory } from '../../src/database/embedded/directory-lock.ts'
import { repository } from '../support/process.ts'

const root = mkdtempSync(join(tmpdir(), 'skein-lock-'))
afterAll(() => rmSync(root, { recursive: true }))

let made = 0
const newDirectory = () => join(root, String(made++), 'data')

/** Starts another process, which holds the lock until it is killed. */
async function holder(directory: string): Promise<ChildProcess> {
  const module = join(repository, 'dist/database/embedded/directory-lock.js')
  const script = `
    import { lockDirectory } from ${JSON.stringify(module)}
    lockDirectory(${JSON.stringify(directory)})
    process.stdout.write('locked')
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('a directory is created with access only for its owner', () => {
  const directory = newDirectory()
  lockDirectory(directory)()
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600)
})

test('a second lock in the same process is refused until the first is released', () => {
  const directory = newDirectory()
  const release = lockDirectory(directory)
  expect(() => lockDirectory(directory)).toThrow(`(PID ${process.pid})`)
  release()
  lockDirectory(directory)()
})

test('another process is refused, and the error contains the PID of the owner and advice', async () => {
  const directory = newDirectory()
  const { pid, ...child } = await holder(directory).then((process) => ({ pid: process.pid, process }))
  expect(() => lockDirectory(directory)).toThrow(
    `The data directory ${directory} is in use by another process (PID ${pid}). ` +
      'Stop that process, or change DATA_DIR.',
  )
  child.process.kill()
  await once(child.process, 'exit')
})

test('the directory is released when its owner is killed with SIGKILL', async () => {
  const directory = newDirectory()
  const child = await holder(directory)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDirectory(directory)()
})
