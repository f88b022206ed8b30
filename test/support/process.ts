import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const repository = join(import.meta.dirname, '../..')

/** Tests start the built service and command line, because TypeScript starts far more slowly. */
const program = join(repository, 'dist/main.js')
export const startCommand = [program, 'start']
export const adminCommand = [program, 'admin']

/** The service in its own process. */
export type RunningProcess = {
  child: ChildProcess
  url: string
  dataDir: string
  /** Returns the output so far. */
  output: () => string
  /** Sends SIGTERM, and returns the exit code. */
  stop: () => Promise<number | null>
}

/** Starts the service, and waits until it is ready. Throws its output if it exits before that. */
export async function startProcess(
  env: Record<string, string> = {},
  words: string[] = [],
): Promise<RunningProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const dataDir = env.DATA_DIR ?? (await newDataDir())
  const all = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, ...env }
  const { child, output } = spawnService(all, { words })
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The service exited: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { child, url, dataDir, output, stop: () => stop(child) }
}

/** Starts the service, and waits until it exits. */
export async function runToEnd(
  env: Record<string, string>,
  cwd?: string,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnService(env, cwd === undefined ? {} : { cwd })
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

/** Calls a function of a built module as a user who is not root. Returns the message of its error. */
export async function failureOfUser(module: string, call: string, cwd = tmpdir()): Promise<string> {
  const script = `import(${JSON.stringify(join(repository, 'dist', module))}).then((module) => {
    if (process.getuid() === 0) process.setuid(65534)
    return module.${call}
  }).catch((error) => process.stdout.write(error.message))`
  const child = spawn(process.execPath, ['-e', script], { cwd })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return output
}

/** Returns the path of a data directory that does not exist yet, in a new folder. */
export async function newDataDir(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'skein-test-')), 'data')
}

/**
 * Starts the service with only the given variables, PATH and HOME. By default, its folder contains no `.env` of a
 * developer.
 */
function spawnService(env: Record<string, string>, { cwd = tmpdir(), words = [] as string[] } = {}) {
  const { PATH = '', HOME = '' } = process.env
  // By default, V8 spends a third of the start's CPU time on optimizing PGlite.
  const child = spawn(process.execPath, ['--liftoff-only', ...startCommand, ...words], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return { child, output: () => output }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  return code
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
}

/**
 * Returns a port on which nothing listens. Linux assigns ports from 32768 upward to connections and servers. The
 * returned port is lower. Therefore Linux does not assign this port before the caller listens on it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
