import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileProgram, installSDK, runProgram } from './support/installed-sdk.ts'
import { newDataDir, type RunningProcess, repository, startProcess } from './support/process.ts'

const run = promisify(execFile)

let service: RunningProcess

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: await newDataDir() })
  await installSDK(dirname(service.dataDir))
})
afterAll(() => service.stop())

// What a reader has around an example: failing commands end it, and `npm run admin --` runs the program as it is here.
const surroundings = `
set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
npm() { shift 3; (cd '${repository}' && node --import tsx src/cli/main.ts "$@"); }
`

async function paste(commands: string): Promise<string> {
  const cwd = dirname(service.dataDir)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: new URL(service.url).port, DATA_DIR: service.dataDir }
  const { stdout } = await run('bash', ['-c', surroundings + commands], { cwd, env })
  return stdout
}

function examplesOf(file: string, language = 'sh'): string {
  const text = readFileSync(join(repository, file), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, its]) => its === language)
    .map(([, , example]) => example)
    .join('\n')
}

/** Runs the examples in TypeScript of a file, where the package is installed and the data are. */
async function runExamplesOf(file: string): Promise<string> {
  const folder = dirname(service.dataDir)
  await compileProgram(folder, examplesOf(file, 'ts'))
  return runProgram(folder)
}

test('the examples of README.md work when pasted', async () => {
  const output = await paste(examplesOf('README.md'))
  expect(output).toContain('"html":"<p><strong>Deploy 7</strong> is on its way</p>"')
  expect(output).toContain('Skein starter')
})

test('the examples of docs/api.md work when pasted', async () => {
  const output = await paste(examplesOf('docs/api.md'))
  expect(output).toContain('"access_token"')
  expect(output).toContain('"isPeristentChat":true')
  expect(output).not.toContain('"errors"')
})

test('the program of README.md compiles and runs', async () => {
  expect(await runExamplesOf('README.md')).toBe(
    'Starter webhook: It has begun\nStarter app: I am watching it\n',
  )
})

test('the programs of docs/api.md compile and run', async () => {
  expect(await runExamplesOf('docs/api.md')).toContain('NOT_FOUND')
})
