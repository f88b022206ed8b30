import { Prisma } from '../generated/prisma/client.ts'
import { tables } from '../generated/rows.ts'

type Table = keyof typeof tables

export type PrefixedRow<Row, Prefix extends string> = {
  [Property in keyof Row & string as `${Prefix}${Capitalize<Property>}`]: Row[Property]
}

/** Returns the columns of a table for a SELECT, named like the properties of the row type, or of `PrefixedRow`. */
export function columnsOf(table: Table, alias: string, prefix = ''): Prisma.Sql {
  return columnList(tables[table], alias, prefix)
}

/** Returns the columns of a table like `columnsOf`, except one. */
export function columnsExcept(table: Table, alias: string, omitted: string): Prisma.Sql {
  return columnList(
    tables[table].filter(([property]) => property !== omitted),
    alias,
    '',
  )
}

type Columns = readonly (readonly [property: string, column: string])[]

function columnList(columns: Columns, alias: string, prefix: string): Prisma.Sql {
  const named = columns.map(([property, column]) => `${alias}.${column} AS "${prefixed(prefix, property)}"`)
  return Prisma.raw(named.join(', '))
}

/** Returns a function that extracts the row of a table from a row whose properties have a prefix. */
export function prefixRemover<Row>(
  table: Table,
  prefix: string,
): (row: { [property: string]: unknown }) => Row {
  const properties = tables[table].map(([property]) => [property, prefixed(prefix, property)] as const)
  return (row) => Object.fromEntries(properties.map(([property, name]) => [property, row[name]])) as Row
}

function prefixed(prefix: string, property: string): string {
  return prefix === '' ? property : `${prefix}${property.charAt(0).toUpperCase()}${property.slice(1)}`
}
