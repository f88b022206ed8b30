import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { failureOfUser, repository } from '../support/process.ts'

const program = ['--import', import.meta.resolve('tsx'), join(repository, 'src/cli/main.ts')]

/** Runs a command without a server. */
async function failureOf(cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env
  const words = [...program, 'workspaces', 'list']
  return promisify(execFile)(process.execPath, words, { cwd, env: { PATH, ...env } }).then(
    () => 'none',
    ({ stderr }) => stderr,
  )
}

const newFolder = () => mkdtemp(join(tmpdir(), 'skein-test-'))

test('a .env that cannot be read is named with what to do', async () => {
  const cwd = await newFolder()
  await chmod(cwd, 0o755)
  await writeFile(join(cwd, '.env'), 'PORT=4699\n', { mode: 0 })
  expect(await failureOfUser('src/start/environment-file.ts', 'readEnvironmentFile({})', cwd)).toMatch(
    /^This user may not read the file \.env in the working directory\./,
  )
  const folder = await newFolder()
  await mkdir(join(folder, '.env'))
  expect(await failureOf(folder)).toMatch(/^In the working directory, \.env is a directory and not a file\./)
})

test('.env may begin with a byte order mark, and lines without "=" are named without their text', async () => {
  const cwd = await newFolder()
  const lines = ['\uFEFFBASE_URL=http://127.0.0.1:3', '', 'secret', '# a comment="', 'OTHER="two', 'lines"']
  const more = ['  secret too', 'export OPERATOR_TOKEN=a-token-of-the-file', '']
  await writeFile(join(cwd, '.env'), [...lines, ...more].join('\r\n'))
  const failure = await failureOf(cwd)
  expect(failure.split('\n').slice(0, 2)).toEqual([
    '.env, line 3: this is not read, because it has no "="',
    '.env, line 7: this is not read, because it has no "="',
  ])
  expect(failure).toContain('Is the server running at http://127.0.0.1:3?')
  expect(failure).not.toContain('secret')
})

test('the command line reads .env in the working directory, and the environment wins over it', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await writeFile(join(cwd, '.env'), 'BASE_URL=http://127.0.0.1:1\nOPERATOR_TOKEN=a-token-of-the-file\n')
  expect(await failureOf(cwd)).toContain('Is the server running at http://127.0.0.1:1?')
  const other = { BASE_URL: 'http://127.0.0.1:2' }
  expect(await failureOf(cwd, other)).toContain('Is the server running at http://127.0.0.1:2?')
})
