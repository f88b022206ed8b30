import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { repository } from '../../support/process.ts'

const folder = await mkdtemp(join(tmpdir(), 'skein-codegen-'))
afterAll(() => rm(folder, { recursive: true }))

const document = `
  query Latest($first: Int) {
    threads(first: $first, order: lastMessage) {
      nodes { id subject lastActivityAt recipients { nodes { __typename id ... on User { kind } } } }
      pageInfo { endCursor }
    }
  }
  mutation Send($input: SendMessageInput!) {
    sendMessage(input: $input) { created messageEdge { cursor node { text } } }
  }`

/** A client that uses the types. The compiler must reject each line after `@ts-expect-error`. */
const client = `
import type { LatestQuery, LatestQueryVariables, SendMutation, SendMutationVariables } from './operations.ts'
export const variables: LatestQueryVariables = { first: 10 }
export function subjects({ threads }: LatestQuery): (string | null | undefined)[] {
  return threads?.nodes.map((thread) => thread.subject) ?? []
}
export function sinceMidnight({ threads }: LatestQuery): string[] {
  return threads?.nodes.map((thread) => thread.lastActivityAt.slice(11)) ?? []
}
export function people({ threads }: LatestQuery): string[] {
  const recipients = threads?.nodes.flatMap((thread) => thread.recipients?.nodes ?? []) ?? []
  return recipients.flatMap((node) => (node.__typename === 'User' ? [node.kind, node.id] : [node.id]))
}
export const send: SendMutationVariables = {
  input: { thread: { recipients: ['grp_'] }, message: { text: 'x' } },
}
export const text = (sent: SendMutation) => sent.sendMessage?.messageEdge.node.text.length
// @ts-expect-error: a text is required
export const noText: SendMutationVariables = { input: { thread: { recipients: [] }, message: {} } }
// @ts-expect-error: the operation does not select the name
export const notAsked = ({ threads }: LatestQuery) => threads?.nodes[0].name
// @ts-expect-error: the list is null if the token lacks the scope
export const refused = ({ threads }: LatestQuery) => threads.nodes.length
// @ts-expect-error: the payload may be null
export const maybe = (sent: SendMutation) => sent.sendMessage.created
`

test('a client compiles with the types that graphql-codegen generates from the schema', async () => {
  const types = await codegen({
    filename: 'operations.ts',
    schema: parse(readFileSync(join(repository, 'docs/schema.graphql'), 'utf8')),
    documents: [{ location: 'document.graphql', document: parse(document) }],
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config: { enumsAsTypes: true, useTypeImports: true, scalars: { ID: 'string', DateTime: 'string' } },
  })
  await writeFile(join(folder, 'operations.ts'), types)
  await writeFile(join(folder, 'client.ts'), client)
  const options = [
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [compiler, ...options, 'client.ts'], { cwd: folder })
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: '' })
})
