import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Backups } from './backups.ts'

// A reader that takes nothing for this time is stuck. Meanwhile the log of the database grows.
const silenceMs = 5 * 60_000
// Node would cut off the rest. Linux allows four bytes more.
const maxPathBytes = 103

export function backupSocketPath(dataDir: string): string {
  return join(dataDir, 'backup.sock')
}

type Options = {
  dataDir: string
  backups: Backups
  onStored: () => void
  onError: (error: unknown) => void
}

/** Sends a backup to each connection to a socket in the data directory. Only the owner of the process can connect. */
export async function serveBackups({
  dataDir,
  backups,
  onStored,
  onError,
}: Options): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    socket.setTimeout(silenceMs, () => socket.destroy(new Error('The reader of the backup has stopped')))
    backups.write((bytes) => send(bytes, socket)).then(onStored, onError)
  })
  const path = backupSocketPath(dataDir)
  if (Buffer.byteLength(path) > maxPathBytes) throw new Error(`The path ${path} is too long for a socket`)
  // A process that was killed leaves its socket.
  await rm(path, { force: true })
  // `listen` creates the socket before it returns.
  const umask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(umask)
  }
  await once(server, 'listening')
  return async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}

/** Resolves after the reader has said that it has stored the backup. */
async function send(bytes: AsyncIterable<Uint8Array>, socket: Socket): Promise<void> {
  const stored = new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve())
    socket.once('close', () => reject(new Error('The reader of the backup did not store it')))
  })
  stored.catch(() => undefined)
  await pipeline(bytes, socket)
  await stored
}
