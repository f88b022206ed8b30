import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, findBreakingChanges } from 'graphql'
import { expect, test } from 'vitest'
import { repository } from '../support/process.ts'

const read = (file: string) => readFileSync(join(repository, file), 'utf8')

/**
 * Returns the breaking changes that the page does not list, as graphql-js describes them. The page can write `*` for
 * the type, to list a change of many types once.
 */
function unnamedBreaks(before: string, after: string, page: string): string[] {
  const breaks = findBreakingChanges(buildSchema(before), buildSchema(after))
  return breaks
    .map(({ description }) => description)
    .filter((text) => !page.includes(text) && !page.includes(text.replace(/^\w+(?=\.)/, '*')))
}

test('docs/changes.md lists every breaking change of the schema since the baseline', () => {
  const [baseline, schema] = [read('test/graphql/baseline.graphql'), read('docs/schema.graphql')]
  expect(unnamedBreaks(baseline, schema, read('docs/changes.md'))).toEqual([])
})

test('a removed field is reported unless the page of changes lists it', () => {
  const [before, after] = ['type Query { a: Int b: Int }', 'type Query { a: Int }']
  expect(unnamedBreaks(before, after, '')).toEqual(['Query.b was removed.'])
  expect(unnamedBreaks(before, after, '- Query.b was removed. Use `a`.')).toEqual([])
  expect(unnamedBreaks(before, after, '- *.b was removed.')).toEqual([])
  expect(unnamedBreaks(before, after, '- *.a was removed.')).toEqual(['Query.b was removed.'])
})
