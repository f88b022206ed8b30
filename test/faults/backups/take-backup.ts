import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { connect } from 'node:net'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupSocketPath } from '../../../src/backup/backup-socket.ts'
import { readBackup } from '../../../src/backup/read-backup.ts'

/** Less than the database, even with what the service has sent ahead (at most 10 MiB). */
const pauseAfterBytes = 8 * 1024 * 1024
const pauseMs = 1000

export type TakenBackup = { path: string; copiesUntil: number }

/**
 * Takes a backup, and pauses in the middle of the files of the database. The service has not ended its copy of the
 * database at `copiesUntil`. Fails if the service is killed meanwhile.
 */
export async function takeBackup(dataDir: string, path: string): Promise<TakenBackup> {
  const socket = connect({ path: backupSocketPath(dataDir), allowHalfOpen: true })
  await once(socket, 'connect')
  const file = createWriteStream(path)
  let [bytes, copiesUntil] = [0, 0]
  const slowly = async function* () {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      file.write(chunk)
      bytes += chunk.length
      if (copiesUntil === 0 && bytes > pauseAfterBytes) {
        await sleep(pauseMs)
        copiesUntil = performance.now()
      }
      yield chunk
    }
  }
  try {
    await readBackup(slowly())
    socket.end('stored')
  } finally {
    await finished(file.end())
  }
  return { path, copiesUntil }
}
