import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { operatorToken, operatorTokenPath } from '../src/start/operator-token.ts'

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return dataDir
}

test('one operator token is created when several processes start at the same time', async () => {
  const config = { operatorToken: undefined, dataDir: await makeDataDir() }
  const tokens = await Promise.all(Array.from({ length: 20 }, () => operatorToken(config)))
  expect(new Set(tokens)).toEqual(
    new Set([(await readFile(operatorTokenPath(config.dataDir), 'utf8')).trim()]),
  )
})

test.each([
  '',
  'x',
  'a token with spaces, of more than 32 characters',
  'short-0123456789',
])('a token file that contains "%s" is refused, and its contents are not printed', async (text) => {
  const config = { operatorToken: undefined, dataDir: await makeDataDir() }
  await writeFile(operatorTokenPath(config.dataDir), `${text}\n`)
  const failure = await operatorToken(config).catch((error: Error) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining('must be 32 to 512 characters') })
  if (text.length > 1) expect(String(failure)).not.toContain(text)
})
