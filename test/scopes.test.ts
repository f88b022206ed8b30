import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildASTSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { reasons } from '../src/errors.ts'
import { typeDefs } from '../src/generated/type-defs.ts'
import { defaultScopes, scopeDescriptions, scopes } from '../src/scopes.ts'
import { commandLine } from './built/cli/command-line.ts'
import { repository } from './support/process.ts'

const described = Object.entries(scopeDescriptions)
const documents = { tokens: textOf('tokens'), errors: textOf('errors') }

test('the schema describes every scope', () => {
  const { description } = buildASTSchema(parse(typeDefs.join('\n'))).getType('Scope') ?? {}
  const listed = [...(description ?? '').matchAll(/^- ([\w.:]+): (.*)$/gm)].map(([, ...line]) => line)
  expect(listed).toEqual(described)
})

test('the documentation lists every scope, and the default scopes', () => {
  const listed = [...documents.tokens.matchAll(/^\| `([\w.]+:\w+)` \| (.*) \|$/gm)].map(([, ...row]) => row)
  expect(listed).toEqual(described)
  const [, named = ''] = /The default scopes are\s+(.+?)\.\s/s.exec(documents.tokens) ?? []
  expect([...named.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope)).toEqual(defaultScopes)
})

test('the help of the command line names every scope, and the default scopes', async () => {
  const { stdout } = await commandLine('http://127.0.0.1:9', 'token').spawned('apps install --help')
  const help = stdout.replace(/\s+/g, ' ')
  expect(help).toContain(`a scope to grant: ${scopes.join(', ')};`)
  expect(help).toContain(`a new one gets ${defaultScopes.join(', ')}`)
})

test('the documentation lists every reason of an error', () => {
  const [, table = ''] = /^\| Reason \| When \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(documents.errors) ?? []
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason?.toLowerCase())
  expect(listed).toEqual([...reasons])
})

function textOf(page: string): string {
  return readFileSync(join(repository, `docs/${page}.md`), 'utf8')
}
