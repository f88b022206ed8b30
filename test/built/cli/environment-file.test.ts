import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { adminCommand, failureOfUser } from '../../support/process.ts'

/** Runs a command without a server, and returns its error output. */
async function failureOf(cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env
  const words = [...adminCommand, 'workspaces', 'list']
  return promisify(execFile)(process.execPath, words, { cwd, env: { PATH, ...env } }).then(
    () => 'none',
    ({ stderr }) => stderr,
  )
}

const newFolder = () => mkdtemp(join(tmpdir(), 'skein-test-'))

test('an error explains why .env cannot be read', async () => {
  const cwd = await newFolder()
  await chmod(cwd, 0o755)
  await writeFile(join(cwd, '.env'), 'PORT=4699\n', { mode: 0 })
  expect(await failureOfUser('start/settings/environment-file.js', 'readEnvironmentFile({})', cwd)).toMatch(
    /^This user cannot read the file \.env in the working directory\./,
  )
  const folder = await newFolder()
  await mkdir(join(folder, '.env'))
  expect(await failureOf(folder)).toMatch(/^\.env in the working directory is a directory, not a file\./)
})

test('.env can begin with a byte order mark, and warnings do not quote lines without "="', async () => {
  const cwd = await newFolder()
  const lines = ['\uFEFFBASE_URL=http://127.0.0.1:3', '', 'secret', '# a comment="', 'OTHER="two', 'lines"']
  const more = ['  secret too', 'export OPERATOR_TOKEN=a-token-of-the-file', '']
  await writeFile(join(cwd, '.env'), [...lines, ...more].join('\r\n'))
  const failure = await failureOf(cwd)
  expect(failure.split('\n').slice(0, 2)).toEqual([
    '.env, line 3: ignored, because it has no "="',
    '.env, line 7: ignored, because it has no "="',
  ])
  expect(failure).toContain('The server at http://127.0.0.1:3 did not respond')
  expect(failure).not.toContain('secret')
})

test('environment variables override .env in the working directory', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'skein-test-'))
  await writeFile(join(cwd, '.env'), 'BASE_URL=http://127.0.0.1:1\nOPERATOR_TOKEN=a-token-of-the-file\n')
  expect(await failureOf(cwd)).toContain('The server at http://127.0.0.1:1 did not respond')
  const other = { BASE_URL: 'http://127.0.0.1:2' }
  expect(await failureOf(cwd, other)).toContain('The server at http://127.0.0.1:2 did not respond')
})
