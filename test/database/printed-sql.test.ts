import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { formatSQL } from '../support/format-sql.ts'
import { blocksOf, sqlFolder } from '../support/printed-sql.ts'
import { tableOwners, viewOwners } from '../support/table-owners.ts'

const onServer = process.env.TEST_DATABASE_URL !== undefined
const viewsFile = fileURLToPath(new URL('../../docs/views.sql', import.meta.url))
const { db, close } = await testDatabase()
afterAll(close)

test.each(
  await readdir(sqlFolder),
)('the database can prepare each statement in docs/sql/%s', async (file) => {
  const blocks = blocksOf(await readFile(new URL(file, sqlFolder), 'utf8'))
  expect(blocks.length).toBeGreaterThan(0)
  const failures: string[] = []
  for (const [index, block] of blocks.entries()) {
    const name = `${file.replace('.', '_')}_${index}`
    const sql = block.replace(/^-- .*\n/, '')
    await db
      .$executeRawUnsafe(`PREPARE ${name} AS ${sql}`)
      .catch((error: Error) => failures.push(`${error.message}\n${block}`))
  }
  expect(failures).toEqual([])
})

type View = { name: string; comment: string | null; definition: string }

// Versions of PostgreSQL print a view in different ways.
test.skipIf(onServer)('docs/views.sql has the views of the database', async () => {
  const views = await db.$queryRawUnsafe<View[]>(`
    SELECT relname::text AS name, obj_description(oid) AS comment, pg_get_viewdef(oid, true) AS definition
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' ORDER BY relname COLLATE "C"`)
  const text = views.map(({ name, comment, definition }) => {
    return `-- ${comment}\nCREATE VIEW ${name} AS\n${formatSQL(definition)}\n`
  })
  await expect(text.join('\n')).toMatchFileSnapshot(viewsFile)
})

test('each table and each view has an owner, and each view has a comment', async () => {
  const relations = await db.$queryRawUnsafe<{ name: string; isView: boolean; comment: string | null }[]>(`
    SELECT relname::text AS name, relkind = 'v' AS "isView", obj_description(oid) AS comment FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND relname <> '_prisma_migrations'`)
  const namesOf = (isView: boolean) =>
    relations.flatMap((each) => (each.isView === isView ? [each.name] : []))
  expect(namesOf(false).sort()).toEqual(Object.keys(tableOwners).sort())
  expect(namesOf(true).sort()).toEqual(Object.keys(viewOwners).sort())
  expect(relations.filter(({ isView, comment }) => isView && comment === null)).toEqual([])
})
