import { once } from 'node:events'
import { createReadStream, existsSync, writeSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import type pg from 'pg'
import { lockByFile, lockDirectory } from './directory-lock.ts'
import type { EmbeddedSource, FromWorker, ToWorker } from './embedded-worker.ts'
import { recordDirectory, requireOriginal } from './require-original.ts'
import { WorkerStream } from './worker-stream.ts'

/** PostgreSQL (PGlite) in a worker thread of this process. It has one session. */
export type EmbeddedDatabase = { connection: pg.ClientConfig; close(): Promise<void> }

// The worker creates little garbage. By default, V8 gives it as much memory for garbage as the main thread.
const maxYoungGenerationSizeMb = 8
const workerURL = new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url)

type OpenOptions = {
  /** Opens a directory that is a copy, and may lack data. */
  acceptCopy?: boolean | undefined
}

/** Opens the embedded database in `db` under the directory, and locks the directory for this process. */
export async function openEmbedded(
  dataDir: string,
  { acceptCopy = false }: OpenOptions = {},
): Promise<EmbeddedDatabase & { directory: string; isNew: boolean }> {
  const locks = [lockDirectory(dataDir)]
  const unlock = () => {
    for (const release of locks) release()
  }
  try {
    const directory = join(dataDir, 'db')
    const isNew = await withErrorPrefix(
      `The embedded database in ${directory} cannot be created`,
      createDataDirectory(directory),
    )
    locks.push(lockByFile(dataDir, 'db/PG_VERSION'))
    const open = async () => {
      if (!acceptCopy) await requireOriginal(directory)
      await recordDirectory(directory)
      return startEmbedded({ directory })
    }
    const { connection, close } = await withErrorPrefix(
      `The embedded database in ${directory} cannot be opened`,
      open(),
    )
    return { directory, isNew, connection, close: () => close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function withErrorPrefix<T>(prefix: string, promise: Promise<T>): Promise<T> {
  return promise.catch((cause: unknown) => {
    throw new Error(`${prefix}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}

export async function startEmbedded(source: EmbeddedSource): Promise<EmbeddedDatabase> {
  const worker = new Worker(workerURL, { workerData: source, resourceLimits: { maxYoungGenerationSizeMb } })
  const [message] = (await once(worker, 'message')) as [FromWorker]
  if (message !== 'open') {
    await worker.terminate()
    throw new Error(Object.values(message).join())
  }
  let isOpen = true
  worker.on('message', ({ panic }: { panic: string }) => exitOn(panic))
  worker.on('error', (error) => exitOn(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => isOpen && exitOn(`its worker thread ended with exit code ${code}`))
  const stream = () => {
    const stream = new WorkerStream(worker)
    return isOpen ? stream : stream.destroy(new Error('Connection terminated: the database is closed'))
  }
  const close = async () => {
    isOpen = false
    const ended = once(worker.removeAllListeners('error'), 'exit')
    worker.postMessage('close' satisfies ToWorker)
    await ended
  }
  // pg reads values that are missing here from the environment variables of libpq, such as PGSSLMODE.
  const connection = { stream, ssl: false, host: 'worker', user: 'postgres', database: 'postgres' }
  return { connection, close }
}

// An immediate exit loses no committed data: the next start recovers it from the log.
function exitOn(reason: string): never {
  writeSync(2, `The embedded database had to stop: ${reason}\n`)
  process.exit(1)
}

// `npm run generate` creates this file. The path is the same from src/database/embedded and dist/database/embedded.
const newDatabase = new URL('../../generated/database/new.tar.gz', import.meta.url)

/**
 * Creates a database unless the directory has one, and returns whether it did. Renames the directory last, so that it is
 * never incomplete.
 */
export async function createDataDirectory(directory: string): Promise<boolean> {
  if (existsSync(join(directory, 'PG_VERSION'))) return false
  const incomplete = `${directory}.incomplete`
  await rm(incomplete, { recursive: true, force: true })
  await mkdir(incomplete, { mode: 0o700 })
  const unpack = unpackTar(incomplete, { dmode: 0o700, fmode: 0o600 })
  await pipeline(createReadStream(newDatabase), createGunzip(), unpack)
  await rename(incomplete, directory)
  return true
}
