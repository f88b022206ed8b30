// A generator for `prisma generate`. Writes src/generated/rows.ts: columns and row properties of each table.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import helper from '@prisma/generator-helper'
import { root } from './run.mjs'

const path = join(root, 'src', 'generated', 'rows.ts')

helper.generatorHandler({
  onManifest: () => ({ prettyName: 'rows', defaultOutput: path }),
  onGenerate: async ({ dmmf: { datamodel } }) => {
    const tables = datamodel.models.map(({ name, fields }) => [name, columnsOf(fields)])
    const text = JSON.stringify(Object.fromEntries(tables), undefined, 2)
    await writeFile(
      path,
      `/** The columns of each table: [property of the row, column]. */\nexport const tables = ${text} as const\n`,
    )
  },
})

/** Columns that Prisma cannot read, such as a tsvector, have no property. */
function columnsOf(fields) {
  const columns = fields.filter(({ kind }) => kind === 'scalar')
  return columns.map(({ name, dbName }) => [name, dbName ?? name])
}
