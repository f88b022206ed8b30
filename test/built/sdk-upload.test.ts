import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeWorld } from '../support/factories.ts'
import { repository } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { startService } from '../support/service.ts'

const mebibyte = 2 ** 20

// The client runs in its own process, because the test measures its memory, and the service reads the same bytes.
// On a busy machine, the upload takes longer than other tests may.
test('the upload of a large file uses little memory', async () => {
  const service = await startService()
  const proxy = await startProxy(service)
  const { webhook } = await makeWorld(service)
  const folder = await mkdtemp(join(tmpdir(), 'skein-sdk-'))
  const file = join(folder, 'large.bin')
  const bytes = randomBytes(50 * mebibyte)
  await writeFile(file, bytes)
  const md5 = createHash('md5').update(bytes).digest('base64')
  const program = join(repository, 'test/support/upload-process.ts')
  const args = [program, `${proxy.url}${webhook.path}`, file, String(bytes.length), md5]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', ...args],
    {
      cwd: repository,
    },
  )
  await rm(folder, { recursive: true })
  expect(Number(stdout)).toBeGreaterThan(0)
  expect(Number(stdout)).toBeLessThan(20 * mebibyte)
})
