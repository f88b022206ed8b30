import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type Query = <Row>(sql: string) => Promise<Row[]>

type DatabaseState = {
  /** The version of PostgreSQL, such as 18.3. */
  postgresql: string
  /** The last migration that was applied. */
  migration: string
  takenAt: Date
}

/** `files` copies the files of the database. `log` copies the label and the parts of the log that the copy needs. */
export type CopySteps = { files(): Promise<void>; log(label: string, segments: string[]): Promise<void> }

/** Copies the embedded database while it is used. The copy has every transaction that was committed before `log`. */
export type OnlineBackup = {
  directory: string
  state(): Promise<DatabaseState>
  copy(steps: CopySteps): Promise<void>
}

const startBackup = `SELECT pg_walfile_name(pg_backup_start('skein', fast => true)) AS first`
const stopBackup = `SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(wait_for_archive => false)`

/** Checkpoints pause during a copy, because a checkpoint removes parts of the log. */
export function onlineBackup(
  directory: string,
  query: Query,
  pauseCheckpoints: () => () => void = () => () => undefined,
): OnlineBackup {
  const copy = async ({ files, log }: CopySteps) => {
    const resumeCheckpoints = pauseCheckpoints()
    try {
      const [start] = await query<{ first: string }>(startBackup)
      // The session can start another backup only after it has stopped this one.
      const stopped = () => query<{ label: string; last: string }>(stopBackup)
      const [end] = await files().then(stopped, async (error: unknown) => {
        await stopped()
        throw error
      })
      if (start && end) await log(end.label, await segmentsOf(directory, start.first, end.last))
    } finally {
      resumeCheckpoints()
    }
  }
  return { directory, state: () => stateOf(query), copy }
}

async function segmentsOf(directory: string, first: string, last: string): Promise<string[]> {
  const names = await readdir(join(directory, 'pg_wal'))
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name) && first <= name && name <= last).sort()
}

async function stateOf(query: Query): Promise<DatabaseState> {
  const [state] = await query<DatabaseState>(
    `SELECT current_setting('server_version') AS postgresql, max(migration_name) AS migration, now() AS "takenAt"
     FROM _prisma_migrations`,
  )
  if (!state) throw new Error('The database has no migrations')
  return state
}
