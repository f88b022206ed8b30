import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { welcome } from '../src/starter/welcome.ts'
import { newDataDir, type RunningProcess, repository, startProcess } from './support/process.ts'

const run = promisify(execFile)

let service: RunningProcess

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: await newDataDir() })
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

function examplesOf(file: string): string {
  const text = readFileSync(join(repository, file), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands).join('\n')
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

test('the welcome works when pasted', async () => {
  const output = await paste(welcome(join(service.dataDir, 'starter.json')).replace(/^.*Paste these.*$/m, ''))
  expect(output).toContain('"subject":"Build 42"')
  expect(output).toContain('"name":"report.txt"')
  expect(output).not.toContain('"errors"')
})
