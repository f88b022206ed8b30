import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Backups } from '../../src/backup/backups.ts'
import { readBackup } from '../../src/backup/read-backup.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { lostIn } from './backups/check-copy.ts'
import { type TakenBackup, takeBackup } from './backups/take-backup.ts'
import { databases, seconds, seed, timeoutMs } from './deployment/databases.ts'
import { startServiceProcess } from './deployment/service-process.ts'
import { seededRandom } from './random.ts'
import { latestCursors, openDesk } from './record-history.ts'
import { write } from './writers/writers.ts'

const leastBackups = 2
const longestBeforeKillMs = 1500
const embedded = databases.find(({ name }) => name === 'embedded')

describe.runIf(embedded?.isChosen)('backups of the embedded database', () => {
  test(
    `have every change that was acknowledged before its copy ended, while the process is killed (FAULT_SEED=${seed})`,
    async () => {
      const random = seededRandom(seed)
      const folder = await newFolder()
      const service = await startServiceProcess('the process', {})
      onTestFinished(async () => void (await service.stop()))
      const desk = await openDesk({ url: service.url }, random)
      const cursors = await latestCursors(desk)
      const writing = new AbortController()
      const written = write(desk, writing.signal)
      const backups: TakenBackup[] = []
      let kills = 0
      const endsAt = performance.now() + 1000 * seconds
      for (
        let round = 0;
        backups.length < leastBackups || kills === 0 || performance.now() < endsAt;
        round += 1
      ) {
        const taking = takeBackup(service.dataDir, join(folder, `${round}.tar`))
        if (round % 2 === 0) {
          backups.push(await taking)
          continue
        }
        await Promise.all([
          taking.catch(() => undefined),
          sleep(random.below(longestBeforeKillMs)).then(service.kill),
        ])
        kills += 1
        await service.start()
      }
      writing.abort()
      await written
      const found = []
      for (const { path, copiesUntil } of backups) {
        const dataDir = `${path}.restored`
        await restoreBackup(createReadStream(path), dataDir)
        found.push(await lostIn(dataDir, desk, { cursors, acknowledgedBefore: copiesUntil }))
      }
      process.stdout.write(`backups ${found.map(({ kept }) => kept).join(', ')} | kills ${kills}\n`)
      expect(found.map(({ lost }) => lost)).toEqual(backups.map(() => []))
      expect(found.every(({ kept }) => kept > 0)).toBe(true)
      expect(service.crashed()).toBe(false)
    },
    timeoutMs,
  )

  test(
    'have all rows although the log outgrows the limit for a checkpoint during the copy',
    async () => {
      const dataDir = join(await newFolder(), 'data')
      const { db, backup, close } = await openDatabase({ dataDir, poolSize: 1 })
      if (!backup) throw new Error('The database is not embedded')
      const files = await createTables(db)
      const copied: string[] = []
      const archive = `${dataDir}.tar`
      const backups = new Backups({ dataDir, online: backup })
      await backups.write(async (bytes) => {
        const file = async (name: string, content: AsyncIterable<Uint8Array>) => {
          for await (const _chunk of content);
          const table = files.get(name)
          if (table && copied.push(table) === 1) await outgrowLimit(db, table)
        }
        await readBackup(savedTo(archive, bytes), { file })
      })
      await backups.close()
      await close()
      await restoreBackup(createReadStream(archive), `${dataDir}-restored`)
      const copy = await openDatabase({ dataDir: `${dataDir}-restored`, poolSize: 1 })
      const [counted] = await copy.db.$queryRawUnsafe<{ count: number }[]>(
        `SELECT count(*)::integer AS count FROM ${copied[0]}`,
      )
      await copy.close()
      expect(counted).toEqual({ count: 2 * rowsAtOnce })
    },
    timeoutMs,
  )
})

const rowsAtOnce = 40_000

/** Creates two tables, and returns their names by the names of their files in a backup. */
async function createTables(db: Database): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  // Each is larger than what a backup reads ahead. Therefore the copy still goes on after the first of them.
  for (const table of ['one', 'other']) {
    await db.$executeRawUnsafe(`CREATE TABLE ${table} (number integer, filler text)`)
    await db.$executeRawUnsafe(rowsInto(table))
    const [row] = await db.$queryRawUnsafe<{ path: string }[]>(
      `SELECT pg_relation_filepath('${table}') AS path`,
    )
    files.set(`db/${row?.path}`, table)
  }
  return files
}

function rowsInto(table: string): string {
  return `INSERT INTO ${table} SELECT n, repeat('x', 1000) FROM generate_series(1, ${rowsAtOnce}) n`
}

async function* savedTo(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    await appendFile(path, chunk)
    yield chunk
  }
}

/** Inserts rows, and waits until the maintenance has decided about a checkpoint: after that, it analyzes the table. */
async function outgrowLimit(db: Database, table: string): Promise<void> {
  const analyzed = async () => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT analyze_count::integer AS count FROM pg_stat_user_tables WHERE relname = ${table}`
    return row?.count ?? 0
  }
  const before = await analyzed()
  await db.$executeRawUnsafe(rowsInto(table))
  while ((await analyzed()) <= before) await sleep(100)
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
