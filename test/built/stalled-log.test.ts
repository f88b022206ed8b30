import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { type RunningProcess, repository, startProcess } from '../support/process.ts'
import { spawnOnTerminal } from '../support/terminal.ts'

const long = { timeout: 20_000 }

describe('a process whose log nobody reads', () => {
  let service: RunningProcess
  let log: Readable
  beforeAll(async () => {
    const url = process.env.TEST_DATABASE_URL && (await testDatabase()).url
    service = await startProcess({ SKEIN_STARTER: 'off', ...(url && { DATABASE_URL: url }) })
    const { stdout } = service.child
    if (stdout === null) throw new Error('The process has no pipe for its log')
    log = stdout
    stopReading(log)
  })
  afterAll(() => service.child.kill('SIGKILL'))

  test('still answers, and logs the number of dropped lines when reading continues', async () => {
    const requests = 8000
    await ask(service.url, requests)
    const answer = await fetch(`${service.url}/health/live`, { signal: AbortSignal.timeout(5000) })
    expect(answer.status).toBe(200)
    const lines = linesOf(log)
    const dropped = () => lines.find((line) => 'dropped' in line)
    await expect.poll(dropped, long).toMatchObject({ level: 40, dropped: expect.any(Number) })
    const asked = lines.filter((line) => line.msg === 'request' && line.route === null)
    expect(asked.length).toBeGreaterThan(3000)
    expect(asked.length + Number(dropped()?.dropped)).toBe(requests)
    stopReading(log)
  })

  test('stops on SIGTERM while nobody reads', async () => {
    await ask(service.url, 8000)
    service.child.kill('SIGTERM')
    const [code] = await once(service.child, 'exit')
    expect(code).toBe(0)
  })
})

test('an uncaught error is logged after all earlier lines', async () => {
  const program = `
    const { log } = (await import('./dist/start/log/open-log.js')).openLog()
    for (let i = 0; i < 5000; i += 1) log.info({ i, filler: 'x'.repeat(100) }, 'line')
    setImmediate(() => { throw new Error('the last words') })`
  const child = spawnNode(['--input-type=module', '-e', program])
  const lines = linesOf(child.stdout)
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(lines.filter(({ msg }) => msg === 'line').map(({ i }) => i)).toEqual([...Array(5000).keys()])
  expect(lines.at(-1)).toMatchObject({ level: 60, err: { message: 'the last words' } })
})

test.each([
  [
    'a terminal that is stopped, as by Ctrl-S',
    (args: string[]) => spawnOnTerminal([process.execPath, ...args], { cwd: repository }),
    stopReading,
  ],
  ['a pipe whose reader is gone', (args: string[]) => spawnNode(args), (log: Readable) => log.destroy()],
])('a process is not blocked by %s', async (_reader, start, stop) => {
  const marker = join(await mkdtemp(join(tmpdir(), 'skein-test-')), 'marker')
  const program = `
    const { log } = (await import('./dist/start/log/open-log.js')).openLog()
    const { writeFileSync } = await import('node:fs')
    let rounds = 0
    setInterval(() => {
      for (let i = 0; i < 1000; i += 1) log.info({ filler: 'x'.repeat(100) }, 'line')
      rounds += 1
      if (rounds === 40) writeFileSync(${JSON.stringify(marker)}, '')
    }, 1)`
  const child = start(['--input-type=module', '-e', program])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  stop(child.stdout)
  await expect.poll(() => existsSync(marker), long).toBe(true)
})

function spawnNode(args: string[]) {
  return spawn(process.execPath, args, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] })
}

function stopReading(log: Readable): void {
  log.removeAllListeners('data').pause()
}

// biome-ignore lint/suspicious/noExplicitAny: each test states the line that it expects
type Line = Record<string, any>

/** Starts reading a log, and returns the list to which its lines are added. */
function linesOf(log: Readable): Line[] {
  const lines: Line[] = []
  log.resume()
  let rest = ''
  log.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts.map((line) => JSON.parse(line)))
  })
  return lines
}

/** Sends requests on one connection, each with a long request ID to log, and waits for all answers. */
async function ask(url: string, count: number): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const begin = 'HTTP/1.1 404'
  let answers = 0
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split(begin)
    answers += parts.length - 1
    // The beginning of an answer can be in two pieces.
    rest = (parts.at(-1) ?? '').slice(1 - begin.length)
  })
  const request = `GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-ID: ${'i'.repeat(120)}\r\n\r\n`
  for (let sent = 0; sent < count; sent += 100) socket.write(request.repeat(100))
  await expect.poll(() => answers, { timeout: 20_000 }).toBe(count)
  socket.destroy()
}
