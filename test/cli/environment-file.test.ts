import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repository } from '../support/process.ts'

const program = ['--import', import.meta.resolve('tsx'), join(repository, 'src/cli/main.ts')]

test('the command line reads .env in the working directory, and the environment wins over it', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await writeFile(join(cwd, '.env'), 'BASE_URL=http://127.0.0.1:1\nOPERATOR_TOKEN=a-token-of-the-file\n')
  const failureOf = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [...program, 'workspaces', 'list'], { cwd, env }).then(
      () => 'none',
      ({ stderr }) => stderr,
    )
  const { PATH = '' } = process.env
  expect(await failureOf({ PATH })).toContain('Is the server running at http://127.0.0.1:1?')
  const other = { PATH, BASE_URL: 'http://127.0.0.1:2' }
  expect(await failureOf(other)).toContain('Is the server running at http://127.0.0.1:2?')
})
