import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './process.ts'
import { asOwner, findPrograms, giveToOwner } from './server-programs.ts'

/** A PostgreSQL server that a test can stop and start. */
export type Cluster = {
  /** The URL of a database that always exists. */
  url: string
  start(): Promise<void>
  /** Starts the server as a standby, which is read-only. */
  startStandby(): Promise<void>
  /** Stops the server in this mode of `pg_ctl`. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Sends SIGKILL to all processes, or to one backend. If it kills one backend, the postmaster restarts the others. */
  kill(which: 'all' | 'backend'): Promise<void>
  /** Sends SIGSTOP to all processes, or only to the postmaster. Then the server accepts no new connections. */
  halt(which: 'all' | 'postmaster'): Promise<void>
  /** Sends SIGCONT to all processes. */
  goOn(): Promise<void>
  remove(): Promise<void>
}

const settings = `-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`

export async function startCluster(): Promise<Cluster> {
  const programs = await findPrograms()
  const program = (name: string) => (programs ? join(programs, name) : name)
  const folder = await mkdtemp(join(tmpdir(), 'skein-cluster-'))
  await chmod(folder, 0o711)
  await giveToOwner(folder)
  const directory = join(folder, 'data')
  await asOwner([
    program('initdb'),
    '-D',
    directory,
    '-U',
    'skein',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
  ])
  const port = await freePort()
  const control = [program('pg_ctl'), '-D', directory, '-w', '-s']
  const start = () =>
    asOwner([...control, '-l', join(folder, 'log'), '-o', `-p ${port} ${settings}`, 'start'])
  const stop = (mode: string) => asOwner([...control, '-m', mode, 'stop'])
  const signal = async (name: NodeJS.Signals, which: 'all' | 'postmaster' | 'backend' = 'all') => {
    const [postmaster = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    const backends = children.trim().split(' ')
    const chosen = { all: [postmaster, ...backends], postmaster: [postmaster], backend: backends.slice(-1) }
    for (const pid of chosen[which]) signalIfAlive(Number(pid), name)
  }
  await start()
  return {
    url: `postgres://skein@127.0.0.1:${port}/postgres`,
    start,
    startStandby: async () => {
      const mark = join(directory, 'standby.signal')
      await writeFile(mark, '')
      await start()
      await rm(mark)
    },
    stop,
    kill: async (which) => {
      // A postmaster that is stopped starts no further processes.
      if (which === 'all') await signal('SIGSTOP', 'postmaster')
      await signal('SIGKILL', which)
    },
    halt: (which) => signal('SIGSTOP', which),
    goOn: () => signal('SIGCONT'),
    remove: async () => {
      await stop('immediate').catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends a signal. Ignores that a child of the postmaster may have exited since its ID was read. */
function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
