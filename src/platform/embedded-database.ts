import { once } from 'node:events'
import { mkdirSync, writeSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { EmbeddedSource, FromThread, ToThread } from '../database/embedded-thread.ts'
import { ThreadStream } from '../database/thread-stream.ts'
import { lockDirectory } from './directory-lock.ts'

/** The embedded database: PostgreSQL (PGlite) in a thread of this process, which has one session. */
export type EmbeddedDatabase = { connection: pg.ClientConfig; close(): Promise<void> }

const threadURL = new URL(`../database/embedded-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * Opens the embedded database with its files in `db` under the directory, which it locks.
 * Throws an Error that says what is wrong when another process has the directory or the database does not open.
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const unlock = lockDirectory(dataDir)
  const folder = join(dataDir, 'db')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { connection, close } = await startEmbedded({ folder })
    return { connection, close: () => close().finally(unlock) }
  } catch (error) {
    unlock()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The embedded database in ${folder} cannot be opened: ${reason}`, { cause: error })
  }
}

/** Starts the thread of an embedded database, and waits until it is open. */
export async function startEmbedded(source: EmbeddedSource): Promise<EmbeddedDatabase> {
  const thread = new Worker(threadURL, { workerData: source })
  const [message] = (await once(thread, 'message')) as [FromThread]
  if (message !== 'open') throw new Error(Object.values(message).join())
  thread.on('message', ({ panic }: { panic: string }) => exitOn(panic))
  thread.on('error', (error) => exitOn(error instanceof Error ? error.message : String(error)))
  let isOpen = true
  const stream = () => {
    const stream = new ThreadStream(thread)
    // Nobody would answer it.
    return isOpen ? stream : stream.destroy(new Error('Connection terminated: the database is closed'))
  }
  const close = async () => {
    isOpen = false
    const ended = once(thread.removeAllListeners('error'), 'exit')
    thread.postMessage('close' satisfies ToThread)
    await ended
  }
  // All that is told here is not taken from the variables of libpq, such as PGSSLMODE.
  const connection = { stream, ssl: false, host: 'thread', user: 'postgres', database: 'postgres' }
  return { connection, close }
}

// Leaving at once keeps what was committed, and the next start recovers it.
function exitOn(reason: string): never {
  writeSync(2, `The embedded database had to stop: ${reason}\n`)
  process.exit(1)
}
