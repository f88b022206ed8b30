import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onServer } from './global-setup.ts'
import { freePort } from './process.ts'
import { giveToOwner } from './server-programs.ts'

/** The path at which Debian installs pgbouncer. */
export const pgbouncerProgram = '/usr/sbin/pgbouncer'

export type Pgbouncer = {
  /** Returns the URL that reaches a database of the server through pgbouncer. */
  through: (url: string) => string
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  stop: () => Promise<void>
}

/** Starts pgbouncer in front of a server, and waits until it accepts connections. */
export async function startPgbouncer(
  serverURL: string,
  settings: Record<string, string>,
): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-pgbouncer-'))
  const port = await freePort()
  const through = (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    configuration(serverURL, { listen_port: String(port), ...settings }),
  )
  await giveToOwner(folder)
  const { uid } = await stat(folder)
  const child = spawn(pgbouncerProgram, [join(folder, 'pgbouncer.ini')], { uid, stdio: 'ignore' })
  await once(child, 'spawn')
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    await rm(folder, { recursive: true })
  }
  while (!(await answers(through(serverURL)))) {
    if (child.exitCode !== null) throw new Error('pgbouncer exited')
  }
  return { through, signal: (name) => child.kill(name), stop }
}

function configuration(serverURL: string, settings: Record<string, string>): string {
  const { hostname, port, username, password } = new URL(serverURL)
  const server = { host: hostname, port: port || '5432', user: username, ...(password && { password }) }
  const given = { listen_addr: '127.0.0.1', unix_socket_dir: '', auth_type: 'any', ...settings }
  const lines = (entries: object) => Object.entries(entries).map(([name, value]) => `${name} = ${value}`)
  const place = lines(server).join(' ').replaceAll(' = ', '=')
  return ['[databases]', `* = ${place}`, '[pgbouncer]', ...lines(given), ''].join('\n')
}

function answers(url: string): Promise<boolean> {
  return onServer(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
}
