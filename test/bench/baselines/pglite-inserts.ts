import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { nextText } from '../calls.ts'
import { insertByParameters } from '../insert-message.ts'
import { runOneByOne } from '../one-by-one.ts'

const migrations = join(import.meta.dirname, '../../../prisma/migrations')
const threads = 1000

// Row 12: a loop of single inserts into PGlite, in a folder that all runs share.
const { FOLDER = '', WARM_UP_SECONDS, SECONDS } = process.env
const pglite = await PGlite.create(FOLDER)
const { rows } = await pglite.query<{ there: string | null }>("SELECT to_regclass('messages') AS there")
if (rows[0]?.there === null) await prepare()
const made = await countMessages()
const step = (number: number) => {
  const thread = `thread ${Math.floor(Math.random() * threads)}`
  return pglite.query(insertByParameters, ['w', thread, `message ${made + number}`, 'author', nextText()])
}
const run = await runOneByOne({ warmUpSeconds: Number(WARM_UP_SECONDS), seconds: Number(SECONDS), step })
if ((await countMessages()) !== made + run.made)
  throw new Error('The number of messages differs from the number of inserts')
await pglite.close()
process.stdout.write(`${JSON.stringify(run)}\n`)

async function prepare(): Promise<void> {
  const folders = (await readdir(migrations)).filter((name) => /^\d/.test(name)).sort()
  for (const folder of folders)
    await pglite.exec(await readFile(join(migrations, folder, 'migration.sql'), 'utf8'))
  await pglite.exec(`
    BEGIN;
    INSERT INTO workspaces (id, name) VALUES ('w', 'Bench');
    INSERT INTO groups (workspace_id, id, name) VALUES ('w', 'grp_', 'General');
    INSERT INTO users (workspace_id, id, kind, name) VALUES ('w', 'author', 'webhook', 'Monitor');
    INSERT INTO threads (workspace_id, id, kind, started_by_id)
    SELECT 'w', 'thread ' || n, 'thread', 'author' FROM generate_series(0, ${threads - 1}) AS n;
    COMMIT;`)
}

async function countMessages(): Promise<number> {
  const counted = await pglite.query<{ count: number }>('SELECT count(*)::int AS count FROM messages')
  return counted.rows[0]?.count ?? 0
}
