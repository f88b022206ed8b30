import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../package.json' with { type: 'json' }
import { freePort } from '../support/process.ts'
import { type Bench, repository } from './bench.ts'
import { atEnd } from './closing.ts'

// The service and the baselines run with the Node options of `npm start`.
const [, , ...startArguments] = manifest.scripts.start.split(' ')
const readyWithinMs = 60_000
export const operatorToken = randomBytes(24).toString('hex')

/** A process that listens and logs to a file. */
export type Server = { pid: number; port: number; url: string; stop: () => Promise<void> }

type Env = Record<string, string>

/** Starts the built service, by default on the embedded database, and waits until it is ready. */
export async function startService(
  bench: Bench,
  of: { databaseURL?: string; dataDir?: string; env?: Env; ready?: Ready },
): Promise<Server> {
  const env = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    DATA_DIR: of.dataDir ?? newPath(bench, 'data'),
    OPERATOR_TOKEN: operatorToken,
    SKEIN_STARTER: 'off',
    WEBHOOK_RATE_PER_MINUTE: '0',
    TOKEN_RATE_PER_MINUTE: '0',
    UPLOAD_RATE_PER_MINUTE: '0',
    DOWNLOAD_RATE_PER_MINUTE: '0',
    GRAPHQL_OPERATIONS_AT_ONCE: '1000',
    INSTALLATION_POINTS_PER_MINUTE: '0',
    WORKSPACE_POINTS_PER_MINUTE: '0',
    TOKEN_TTL_SECONDS: '86400',
    ...(of.databaseURL && { DATABASE_URL: of.databaseURL }),
    ...of.env,
  }
  return startServer(bench, 'service', startArguments, env, of.ready)
}

/** Starts a baseline, which listens on PORT, and waits until it is ready. */
export async function startBaseline(bench: Bench, name: string, env: Env = {}): Promise<Server> {
  return startServer(bench, name, baselineArguments(name), { NODE_ENV: 'production', ...env })
}

/** Runs a baseline that does not listen, and returns the JSON that it printed. */
export async function runBaseline(bench: Bench, name: string, env: Env): Promise<unknown> {
  const log = newPath(bench, `${name}.log`)
  const child = spawnLogged(baselineArguments(name), env, log)
  const stop = atEnd(() => end(child))
  if (child.exitCode === null) await once(child, 'close')
  await stop()
  const printed = await readFile(log, 'utf8')
  if (child.exitCode !== 0) throw new Error(`The baseline ${name} failed: ${printed}`)
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}

export function newPath({ folder }: Pick<Bench, 'folder'>, name: string): string {
  return join(folder, `${randomBytes(4).toString('hex')}-${name}`)
}

/** tsx translates a file when it is loaded. After that, plain JavaScript runs. */
function baselineArguments(name: string): string[] {
  return [
    ...startArguments.slice(0, startArguments.indexOf('dist/main.js')),
    '--import',
    'tsx',
    join(import.meta.dirname, 'baselines', `${name}.ts`),
  ]
}

/** Returns whether a server has reached the state that the caller waits for. */
export type Ready = (url: string) => Promise<boolean>

async function startServer(bench: Bench, name: string, args: string[], env: Env, ready: Ready = isReady) {
  const port = await freePort()
  const log = newPath(bench, `${name}.log`)
  const child = spawnLogged(args, { PORT: String(port), ...env }, log)
  const stop = atEnd(() => end(child))
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + readyWithinMs
  while (!(await ready(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The process ${name} did not start: ${await readFile(log, 'utf8')}`)
    }
    await sleep(5)
  }
  return { pid: child.pid ?? 0, port, url, stop }
}

function spawnLogged(args: string[], env: Env, path: string): ChildProcess {
  const log = openSync(path, 'w')
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
}
