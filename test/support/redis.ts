import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './process.ts'

/** Whether Redis is installed. .ci/run installs it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export type RedisServer = { url: string; port: number; child: ChildProcess; stop: () => Promise<void> }

/** Starts a Redis server without persistence, and waits until it accepts connections. */
export async function startRedis(options: { port?: number; password?: string } = {}): Promise<RedisServer> {
  const { port = await freePort(), password } = options
  const access = password === undefined ? [] : ['--requirepass', password]
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...access,
  ]
  const child = spawn('redis-server', settings, { stdio: 'ignore' })
  while (!(await takesConnections(port))) await sleep(20)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    port,
    child,
    stop,
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
}
