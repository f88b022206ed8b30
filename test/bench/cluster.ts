import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../support/process.ts'
import { asOwner, findPrograms, giveToOwner } from '../support/server-programs.ts'
import { say } from './bench.ts'
import { atEnd } from './closing.ts'

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  // PostgreSQL's documentation advises a quarter of the memory, and up to 40 % for a database as large as this one.
  shared_buffers: `${Math.floor((totalmem() * 0.4) / 2 ** 20)}MB`,
  max_wal_size: '8GB',
  min_wal_size: '2GB',
  max_connections: '300',
}

/** A PostgreSQL server for the bench, and its client programs. */
export type Cluster = {
  /** The URL of a database that always exists. */
  url: string
  version: string
  /** The ID of the process whose processor time is measured, if the bench started the server. */
  postmaster: number | undefined
  program: (name: string) => string
}

/** Connects to the server at BENCH_DATABASE_URL. Without this variable, starts a server in the folder. */
export async function openCluster(folder: string): Promise<Cluster> {
  const programs = await findPrograms()
  const program = (name: string) => (programs ? join(programs, name) : name)
  const given = process.env.BENCH_DATABASE_URL
  const { url, postmaster } = given
    ? { url: given, postmaster: undefined }
    : await startCluster(join(folder, 'cluster'), program)
  const client = new pg.Client(url)
  await client.connect()
  if (!given) await fillLog(client)
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  await client.end()
  return { url, postmaster, program, version: rows[0]?.server_version ?? 'unknown' }
}

async function startCluster(directory: string, program: Cluster['program']) {
  await mkdir(directory)
  await chmod(join(directory, '..'), 0o711)
  await giveToOwner(directory)
  await asOwner([program('initdb'), '-D', directory, '-U', 'skein', '--auth=trust', '--encoding=UTF8'])
  const port = await freePort()
  const options = Object.entries({ ...settings, port })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  const control = [program('pg_ctl'), '-D', directory, '-w', '-s']
  await asOwner([...control, '-l', join(directory, 'log'), '-o', options, 'start'])
  atEnd(async () => {
    await asOwner([...control, '-m', 'immediate', 'stop'])
    await rm(directory, { recursive: true, force: true })
  })
  const [pid] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  say(`PostgreSQL on port ${port}, in ${directory}`)
  return { url: `postgres://skein@127.0.0.1:${port}/postgres`, postmaster: Number(pid) }
}

/**
 * Fills the write-ahead log, so that the runs reuse its files, as on a server that has run for a while. With a new
 * log, the server would pause after every 16 MiB to create a file of zeros.
 */
async function fillLog(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT pg_logical_emit_message(true, 'bench', repeat('x', 16 * 1024 * 1024)) FROM generate_series(1, 120)`,
  )
  await client.query('CHECKPOINT')
}
