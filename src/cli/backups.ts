import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { backupSocketPath } from '../backup/backup-socket.ts'
import { type BackupSummary, readBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { Failure } from './failure.ts'
import { detailsOf, type Output } from './print.ts'
import { dataDirOf, type Environment } from './server.ts'
import type { Subcommand } from './subcommands.ts'

const columns = {
  Taken: 'takenAt',
  Version: 'version',
  PostgreSQL: 'postgresql',
  Migration: 'migration',
  'Stored files': 'storedFiles',
  Bytes: 'bytes',
  'Damaged before': 'damagedBefore',
}

export const backup: Subcommand = {
  usage: 'backup <file>',
  description:
    'Back up the embedded database, the files and the keys while the service runs. The backup contains secrets.',
  example: '/backups/skein.tar',
  run: async (_client, command, { env }) => {
    const [path = ''] = command.args
    await requireOutside(dataDirOf(env), path)
    const socket = await connectTo(env)
    if (path !== '-') return outputOf(await store(socket, path))
    await receive(socket, process.stdout)
    socket.end('stored')
    return nothing()
  },
}

export const verify: Subcommand = {
  usage: 'verify <file>',
  description: 'Check that a backup is complete and undamaged. The service does not have to run.',
  example: '/backups/skein.tar',
  run: async (_client, { args: [path = ''] }) => outputOf(await readBackup(await contentOf(path))),
}

export const restore: Subcommand = {
  usage: 'restore <file> <directory>',
  description: 'Restore a backup into a new directory, which can then be the DATA_DIR of a service.',
  example: '/backups/skein.tar /var/lib/skein',
  run: async (_client, { args: [path = '', directory = ''] }) =>
    outputOf(await restoreBackup(await contentOf(path), directory)),
}

function outputOf(summary: BackupSummary): Output {
  return { json: summary, text: detailsOf(columns, summary) }
}

/** Standard output has the backup. */
async function* nothing(): AsyncGenerator<Output> {}

/** Opens the file first. An error of a stream that nobody reads yet would end the process. */
async function contentOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return process.stdin
  const file = await open(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Failure(`The file ${path} cannot be read (${code}).`)
  })
  if ((await file.stat()).isDirectory()) {
    await file.close()
    throw new Failure(`${path} is a directory, not a backup.`)
  }
  return file.createReadStream()
}

// A backup has all files of the data directory, except earlier backups in their own directory.
async function requireOutside(dataDir: string, path: string): Promise<void> {
  const [data, directory] = [resolve(dataDir), dirname(resolve(path))]
  const own = join(data, 'backups')
  if (path === '-' || !`${directory}/`.startsWith(`${data}/`)) return
  if (directory !== own)
    throw new Failure(
      `${path} would be in DATA_DIR, and a backup would contain the earlier ones. Choose another directory, such as ${own}.`,
    )
  await mkdir(own, { recursive: true, mode: 0o700 })
}

async function connectTo(env: Environment): Promise<Socket> {
  const dataDir = dataDirOf(env)
  const socket = connect({ path: backupSocketPath(dataDir), allowHalfOpen: true })
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    throw new Failure(
      `No service with an embedded database runs on ${dataDir} (${(error as NodeJS.ErrnoException).code}). ` +
        'Set DATA_DIR to its data directory. If the service is stopped, copy that directory instead. ' +
        'If its database is on a server, see docs/operations.md.',
    )
  }
}

/** Writes the backup under a temporary name, so that the path never has a part of a backup. */
async function store(socket: Socket, path: string): Promise<BackupSummary> {
  const temporary = `${path}.${randomUUID()}`
  const file = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await once(file, 'open')
    const summary = await receive(socket, file)
    await finished(file.end())
    await rename(temporary, path)
    const directory = await open(dirname(resolve(path)))
    await directory.sync().finally(() => directory.close())
    socket.end('stored')
    return summary
  } catch (error) {
    socket.destroy()
    await rm(temporary, { force: true })
    throw error
  }
}

/** Checks the backup while it passes to the output. */
async function receive(socket: Socket, output: Writable): Promise<BackupSummary> {
  const progress = new Progress()
  output.on('error', () => undefined)
  const passing = async function* () {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (output.errored) throw output.errored
      if (!output.write(chunk)) await once(output, 'drain')
      progress.add(chunk.length)
      yield chunk
    }
  }
  const summary = await readBackup(passing(), { manifest: ({ bytes }) => progress.expect(bytes) })
  progress.end()
  return summary
}

const mebibyte = 1024 * 1024

/** Prints to standard error how much has arrived: a line that changes on a terminal, and a line per tenth elsewhere. */
class Progress {
  #expected = 0
  #bytes = 0
  #shown = -1

  expect(bytes: number): void {
    this.#expected = bytes
  }

  add(bytes: number): void {
    this.#bytes += bytes
    const steps = process.stderr.isTTY ? 100 : 10
    const step = Math.floor((this.#bytes / Math.max(this.#expected, 1)) * steps)
    if (this.#expected === 0 || step <= this.#shown) return
    this.#shown = step
    this.#print(`${inMebibytes(this.#bytes)} of about ${inMebibytes(this.#expected)} MiB`)
  }

  end(): void {
    this.#print(`${inMebibytes(this.#bytes)} MiB, complete`)
    if (process.stderr.isTTY) process.stderr.write('\n')
  }

  #print(text: string): void {
    process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(60)}` : `${text}\n`)
  }
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1)
}
