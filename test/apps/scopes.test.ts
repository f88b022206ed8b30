import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { type Scope, scopes } from '../../src/scopes.ts'
import { makeWorld, postToWebhook, say, uploadToWebhook } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { codesOf, startService } from '../support/service.ts'

const service = await startService()

type IDs = Awaited<ReturnType<typeof makeCase>>['ids']

/** Creates a world whose app has these scopes. Returns a token of the app, and the IDs that the queries need. */
async function makeCase(given: readonly Scope[]) {
  const world = await makeWorld(service, given)
  const { as, ada, app, publicGroup, workspaceID, webhook } = world
  const { thread, message } = await say(as(ada.id), [publicGroup.id, app.userID], 'x', 'S')
  const fileID: string = (await uploadToWebhook(service, webhook.path, 'bytes')).json().id
  await postToWebhook(service, webhook.path, { target: thread.id, text: 'x', attachments: [fileID] })
  const edge = `${ada.id}-${app.userID}`
  return {
    token: app.token,
    ids: {
      workspaceID,
      ada: ada.id,
      group: publicGroup.id,
      thread: thread.id,
      message: message.id,
      fileID,
      edge,
    },
  }
}

/** IDs of objects that do not exist. */
const nowhere = { app: newID('app'), wbh: newID('wbh') }

/** The queries that need each scope, as in docs/tokens.md. The payload of sendMessage has tests of its own below. */
const needs: Record<Scope | 'none', ((ids: IDs) => string)[]> = {
  'workspaces:read': [
    ({ workspaceID }) => `workspace(id: "${workspaceID}") { id name }`,
    ({ workspaceID }) => `node(id: "${workspaceID}") { id }`,
    () => 'workspaces { nodes { id } }',
    ({ ada }) => `user(id: "${ada}") { id name }`,
    ({ ada }) => `node(id: "${ada}") { id }`,
    () => 'users { nodes { id } }',
  ],
  'groups:read': [
    ({ group }) => `group(id: "${group}") { id name }`,
    ({ group }) => `node(id: "${group}") { id }`,
    () => 'groups { nodes { id } }',
    () => 'me { groups { nodes { id } } }',
    ({ group }) => `node(id: "${group}") { ... on Group { memberCount members { nodes { id } } } }`,
  ],
  'threads:read': [
    ({ thread }) =>
      `thread(id: "${thread}") { id unreadCount messages { nodes { id user { name } attachments { nodes { id } } } } }`,
    ({ thread }) => `thread(id: "${thread}") { recipients { nodes { id name } } }`,
    ({ thread }) => `node(id: "${thread}") { id }`,
    () => 'threads { nodes { id } }',
    ({ edge }) => `node(id: "${edge}") { ... on UserEdge { persistentChatEdge { node { id } } } }`,
  ],
  'threads.messages:read': [
    ({ message }) => `node(id: "${message}") { ... on Message { html user { id name } thread { id } } }`,
    ({ message }) => `node(id: "${message}") { ... on Message { reactions { nodes { emoji } } } }`,
    ({ fileID }) => `node(id: "${fileID}") { id }`,
  ],
  // This scope is useful only with workspaces:read, which lists users. users.test.ts tests it.
  'users.email:read': [],
  // permissions.test.ts tests it.
  'workspaces:write': [],
  'groups:write': [],
  'threads:write': [],
  'threads.messages:write': [],
  'apps:read': [
    ({ workspaceID }) => `node(id: "${nowhere.app}-${workspaceID}") { id }`,
    () => `node(id: "${nowhere.app}") { id }`,
  ],
  'webhooks:read': [() => `node(id: "${nowhere.wbh}") { id }`],
  'apps:write': [],
  'webhooks:write': [],
  none: [() => 'me { id name kind }'],
}

const sending = mutation('sendMessage', 'thread { id subject } message { id text user { id name } }')

describe.each(scopes)('the scope %s', (scope) => {
  test('alone is enough for everything that it allows', async () => {
    const { token, ids } = await makeCase([scope])
    for (const ask of [...needs[scope], ...needs.none]) {
      const answer = await service.graphql(token, `{ ${ask(ids)} }`)
      expect([ask(ids), codesOf(answer)]).toEqual([ask(ids), []])
    }
  })

  test('is needed for everything that it allows', async () => {
    // The scope threads:read includes threads.messages:read.
    const without = scope === 'threads.messages:read' ? [scope, 'threads:read'] : [scope]
    const { token, ids } = await makeCase(scopes.filter((other) => !without.includes(other)))
    for (const [other, asks] of Object.entries(needs)) {
      for (const ask of asks) {
        const answer = await service.graphql(token, `{ ${ask(ids)} }`)
        const isRefused = without.includes(other)
        expect([ask(ids), codesOf(answer)]).toEqual([ask(ids), isRefused ? ['INSUFFICIENT_SCOPE'] : []])
        if (isRefused) expect(answer.errors?.[0]?.extensions).toMatchObject({ requiredScope: other })
      }
    }
  })
})

describe('sending', () => {
  const inputs = ({ thread, group, ada, workspaceID }: IDs) => [
    { threadID: thread },
    { thread: { recipients: [group] } },
    { thread: { recipients: [ada] } },
    { thread: { recipients: [ada, workspaceID], subject: 'S', threadBy: 'k' } },
  ]

  test('needs only threads.messages:write', async () => {
    const { token, ids } = await makeCase(['threads.messages:write'])
    for (const input of inputs(ids)) {
      const variables = { input: { ...input, message: { text: 'x', uniqueBy: 'k' } } }
      expect(codesOf(await service.graphql(token, sending, variables))).toEqual([])
    }
  })

  test('is refused without threads.messages:write', async () => {
    const { token, ids } = await makeCase(['workspaces:read', 'groups:read', 'threads:read'])
    for (const input of inputs(ids)) {
      const answer = await service.graphql(token, sending, { input: { ...input, message: { text: 'x' } } })
      expect([answer.data, codesOf(answer)]).toEqual([{ sendMessage: null }, ['INSUFFICIENT_SCOPE']])
    }
  })

  test('does not allow reading', async () => {
    const { token, ids } = await makeCase(['threads.messages:write'])
    const reading = mutation(
      'sendMessage',
      'thread { messages { nodes { id } } recipients { nodes { id } } }',
    )
    const input = { threadID: ids.thread, message: { text: 'x' } }
    const answer = await service.graphql(token, reading, { input })
    expect(answer.data).toEqual({ sendMessage: { thread: { messages: null, recipients: null } } })
    expect(new Set(codesOf(answer))).toEqual(new Set(['INSUFFICIENT_SCOPE']))
  })
})

test('the field startedThreads of a message needs the scope threads:read', async () => {
  const cases: [Scope, string[]][] = [
    ['threads.messages:read', ['INSUFFICIENT_SCOPE']],
    ['threads:read', []],
  ]
  for (const [scope, expected] of cases) {
    const { token, ids } = await makeCase([scope])
    const message = `... on Message { startedThreads { nodes { id } } }`
    const answer = await service.graphql(token, `{ node(id: "${ids.message}") { ${message} } }`)
    expect([scope, codesOf(answer)]).toEqual([scope, expected])
  }
})

test('a field that leads from one resource to another needs the scopes of both resources', async () => {
  const lists = 'query ($id: ID!) { workspace(id: $id) { users { nodes { id } } } }'
  const groups = 'query ($id: ID!) { workspace(id: $id) { groups { nodes { id } } } }'
  const members = 'query ($id: ID!) { group(id: $id) { members { nodes { id name } } } }'
  const chat = 'query ($id: ID!) { group(id: $id) { chat { id } } }'
  const cases: [Scope[], string, string[]][] = [
    [['workspaces:read'], lists, []],
    [['workspaces:read'], groups, ['INSUFFICIENT_SCOPE']],
    [['workspaces:read', 'groups:read'], groups, []],
    [['groups:read'], members, []],
    [['groups:read'], chat, ['INSUFFICIENT_SCOPE']],
    [['groups:read', 'threads:read'], chat, []],
  ]
  for (const [given, query, expected] of cases) {
    const { token, ids } = await makeCase(given)
    const answer = await service.graphql(token, query, { id: ids.workspaceID })
    expect([given, query, codesOf(answer)]).toEqual([given, query, expected])
  }
})
