import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { createDataFolder } from './data-folder.ts'
import { lockByFile, lockDirectory } from './directory-lock.ts'
import type { EmbeddedSource, FromThread, ToThread } from './embedded-thread.ts'
import { ThreadStream } from './thread-stream.ts'

/** PostgreSQL (PGlite) in a thread of this process. It has one session. */
export type EmbeddedDatabase = { connection: pg.ClientConfig; close(): Promise<void> }

// The thread creates little garbage. By default V8 gives it as much memory for that as the main thread.
const maxYoungGenerationSizeMb = 8
const threadURL = new URL(`./embedded-thread${extname(import.meta.url)}`, import.meta.url)

/** Opens the embedded database in `db` under the directory, and locks the directory for this process. */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const locks = [lockDirectory(dataDir)]
  const unlock = () => {
    for (const release of locks) release()
  }
  try {
    const folder = join(dataDir, 'db')
    await orSay(`The embedded database in ${folder} cannot be created`, createDataFolder(folder))
    locks.push(lockByFile(dataDir, 'db/PG_VERSION'))
    const opened = startEmbedded({ folder })
    const { connection, close } = await orSay(`The embedded database in ${folder} cannot be opened`, opened)
    return { connection, close: () => close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function orSay<T>(what: string, promise: Promise<T>): Promise<T> {
  return promise.catch((cause: unknown) => {
    throw new Error(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}

export async function startEmbedded(source: EmbeddedSource): Promise<EmbeddedDatabase> {
  const thread = new Worker(threadURL, { workerData: source, resourceLimits: { maxYoungGenerationSizeMb } })
  const [message] = (await once(thread, 'message')) as [FromThread]
  if (message !== 'open') {
    await thread.terminate()
    throw new Error(Object.values(message).join())
  }
  let isOpen = true
  thread.on('message', ({ panic }: { panic: string }) => exitOn(panic))
  thread.on('error', (error) => exitOn(error instanceof Error ? error.message : String(error)))
  thread.on('exit', (code) => isOpen && exitOn(`its thread ended with exit code ${code}`))
  const stream = () => {
    const stream = new ThreadStream(thread)
    return isOpen ? stream : stream.destroy(new Error('Connection terminated: the database is closed'))
  }
  const close = async () => {
    isOpen = false
    const ended = once(thread.removeAllListeners('error'), 'exit')
    thread.postMessage('close' satisfies ToThread)
    await ended
  }
  // pg takes values that are missing here from the environment variables of libpq, such as PGSSLMODE.
  const connection = { stream, ssl: false, host: 'thread', user: 'postgres', database: 'postgres' }
  return { connection, close }
}

// An immediate exit loses nothing that was committed: the next start recovers it from the log.
function exitOn(reason: string): never {
  writeSync(2, `The embedded database had to stop: ${reason}\n`)
  process.exit(1)
}
