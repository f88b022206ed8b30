import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildASTSchema, parse } from 'graphql'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { sweepSignInLinks } from '../../src/accounts/links/sign-in-links.ts'
import { sweepSessions } from '../../src/accounts/sessions/session.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { sweepGrants } from '../../src/apps/grants/end-grant.ts'
import { sweepAccessTokens } from '../../src/apps/tokens/access-tokens.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { fanOut } from '../../src/feeds/fan-out/fan-out.ts'
import { listenInNewInstallations } from '../../src/feeds/fan-out/listen-in-new-installations.ts'
import { WaitingListeners } from '../../src/feeds/fan-out/waiting-listeners.ts'
import { claimDeliveries, releaseClaim } from '../../src/feeds/sending/claim-deliveries.ts'
import { dueEndpoints } from '../../src/feeds/sending/due-endpoints.ts'
import { noteOutcome } from '../../src/feeds/sending/endpoint-health.ts'
import { recordOutcome } from '../../src/feeds/sending/record-outcome.ts'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { isInUse } from '../../src/messages/access.ts'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { startIndexing } from '../../src/messages/search/indexing/start-indexing.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { sweepCalls } from '../../src/messages/webhook-calls/sweep-calls.ts'
import { newID } from '../../src/platform/ids.ts'
import { sweepPersonalTokens } from '../../src/users/tokens/personal-tokens.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { graphqlAs, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { makeClient, makeConsenter, postAs, refresh, tokensFrom } from '../support/consent.ts'
import {
  type World as BasicWorld,
  makeApp,
  makeWorld,
  postToWebhook,
  redirectURI,
  requestToken,
  say,
  uploadToWebhook,
} from '../support/factories.ts'
import { pngOf } from '../support/images.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { changesBetween, printStatements, sqlFolder } from '../support/printed-sql.ts'
import { giveRole } from '../support/roles.ts'
import { codesOf, type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'
import { announce, download, uploadAs, uploadByTicket } from '../support/uploads.ts'
import { writeMessage } from '../support/write-message.ts'

type World = Awaited<ReturnType<typeof makeBusyWorld>>
type Statement = { sql: string; args: unknown[] }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'TID Cond'?: string
  Plans?: Plan[]
}

const readState = 'unreadCount readUpTo { id } firstUnread { id }'
const messageFields = `id thread { id } origin { appID webhookID } mentions { nodes { id } } event { recipients { nodes { id } } }
  reactions { nodes { emoji count users { nodes { id } } } } buttons { pressCount presses { nodes { user { id } } } } startedThreads { nodes { id } } attachments { nodes { id } }`
const messageOf = `message { ${messageFields} }`
const eventFields = `id recipientIDs message { text user { name } } thread { subject recipients(first: 2) { nodes { id } } }
  group { memberCount } user { name } app { redirectURIs } webhook { user { name } }`

const messageWithLists = `html user { name groups(first: 2) { nodes { name } } } attachments(first: 5) { nodes { name } }
  thread { subject } origin { appID webhookID } mentions(first: 2) { nodes { name } } event { recipients(first: 2) { nodes { name } } }
  reactions(first: 2) { nodes { emoji users(first: 2) { nodes { name } } } }
  buttons { pressCount viewerPressedAt presses(first: 2) { nodes { user { name } } } } startedThreads(first: 2) { nodes { subject } }`
const threadWithLists = `${readState} messageCount lastMessage { user { name } } fromMessage { text } startedBy { name }
  messages(last: 2) { nodes { ${messageWithLists} } } recipients(first: 3) { nodes { id name } }`
/** Lists with lists in them. `$hot` means the ID of a thread. */
const nestedLists: [string, string][] = [
  ['threads', `threads(first: $n) { nodes { ${threadWithLists} } }`],
  [
    'groups',
    `groups(first: $n) { nodes { memberCount viewerRole viewerCanAdminister
      members(first: 2) { edges { role joinedAt node { name } } } chat { ${threadWithLists} } } }`,
  ],
  [
    'users',
    'users(first: $n) { nodes { chat { unreadCount } groups(first: 2) { nodes { name members(first: 2) { nodes { name } } } } } }',
  ],
  ['messages', `thread(id: "$hot") { messages(first: $n) { nodes { ${messageWithLists} } } }`],
  [
    'messages found',
    `searchMessages(query: "common", first: $n) { edges { excerpt node { ${messageWithLists} } } }`,
  ],
  [
    'rare messages found',
    `searchMessages(query: "rare", first: $n, order: best) { edges { excerpt node { ${messageWithLists} } } }`,
  ],
]

// These have connections of their own. The second runs when the database was in use for a second.
const heartbeats: unknown[] = ['SELECT 1', `SELECT pg_logical_emit_message(true, 'skein', '')`]
const unindexedWorkspaces = 'FROM event_heads h LEFT JOIN search_progress p'

const url = 'https://receiver.example.com/hook'

const recorded: Statement[] = []
let runScript: Script
recordStatements()

const mailServer = await startMailServer()
const service = await startService({ SMTP_URL: mailServer.url, MAIL_FROM: 'skein@example.com' })
const schema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))
const [big, small] = [await makeBusyWorld(), await makeBusyWorld()]
await makeVolume(big)

const operations = operationsOf()

describe('no statement scans a table in', () => {
  test.each(Object.keys(operations))('%s', async (name) => {
    for (const statements of await statementsIn(name)) {
      expect(statements.length).toBeGreaterThan(0)
      expect(await scansOf(statements)).toEqual([])
    }
  })

  test('any query or mutation of the schema', () => {
    const fields = ['Query', 'Mutation'].flatMap((name) => {
      const type = schema.getType(name)
      return type && 'getFields' in type ? Object.keys(type.getFields()) : []
    })
    const asked = Object.keys(operations)
      .join(' ')
      .split(/[^\w]+/)
    expect(fields.filter((field) => !asked.includes(field))).toEqual([])
  })
})

// The time limit is for a run in another order, in which this test runs the operations.
test('docs/sql has the statements of all operations', { timeout: 300_000 }, async () => {
  const statements: string[] = []
  for (const name of Object.keys(operations))
    statements.push(...(await statementsIn(name)).flat().map(({ sql }) => sql))
  const printed = printStatements(statements)
  const changes: string[] = []
  for (const [noun, text] of printed) {
    const file = fileURLToPath(new URL(`${noun}.sql`, sqlFolder))
    const before = await readFile(file, 'utf8').catch(() => '')
    const matched = expect(text).toMatchFileSnapshot(file)
    await matched.catch(() => changes.push(...changesBetween(before, text).map((line) => `${noun}: ${line}`)))
  }
  const command = 'npm run test:large -- test/large/statements.test.ts -u'
  expect(changes, `These statements differ from docs/sql. Run \`${command}\`, and review docs/sql`).toEqual(
    [],
  )
  const unused = (await readdir(sqlFolder)).filter((file) => !printed.has(file.replace(/\.sql$/, '')))
  expect(unused, 'Delete these files, because no statement belongs to them').toEqual([])
})

describe('the number of statements does not grow with the number of', () => {
  test.each(nestedLists)('%s', async (_what, selection) => {
    const text = selection.replace('$hot', big.hotThreadID)
    await expectSameNumber((n) => graphql(big.app.token, `query ($n: Int) { ${text} }`, { n }))
  })

  const events = `events(first: $n, after: $after) { nodes { ${eventFields} } }`
  test('events', async () => {
    const { token } = await makeAdminApp(big)
    const { latestEventCursor: after } = (await graphql(token, '{ latestEventCursor }')).data
    for (let round = 0; round < 5; round += 1) await makeEvents(big)
    const query = `query ($n: Int, $after: String) { ${events} }`
    await expectSameNumber(async (n) => {
      const answer = await graphql(token, query, { n, after })
      expect(answer.data.events.nodes).toHaveLength(n)
    })
  })

  test.each([
    ['users', 'id groups(first: 2) { nodes { name } }'],
    ['groups', 'id members(first: 2) { nodes { name } }'],
    ['threads', 'id messages(first: 2) { nodes { text } }'],
    ['messages', `id ${messageWithLists}`],
    ['files', 'id name url'],
  ])('%s looked up by their IDs', async (table, selection) => {
    const ids = await visibleIDs(table)
    const type = { users: 'User', groups: 'Group', threads: 'Thread', messages: 'Message', files: 'File' }[
      table
    ]
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${selection} } } }`
    await expectSameNumber(async (n) => {
      const answer = await graphql(big.app.token, query, { ids: ids.slice(0, n) })
      expect(answer.data.nodes).not.toContain(null)
    })
  })

  test('user edges looked up by their IDs', async () => {
    const userIDs = (await visibleIDs('users')).filter((id) => id !== big.app.userID)
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on UserEdge { user { name } persistentChatEdge { node { ${threadWithLists} } } } } }`
    const ids = userIDs.map((id) => `${id}-${big.app.userID}`)
    await graphql(big.app.token, query, { ids: ids.slice(0, 50) })
    await expectSameNumber((n) => graphql(big.app.token, query, { ids: ids.slice(0, n) }))
  })

  test('recipients of a new thread', async () => {
    const userIDs = (await visibleIDs('users')).filter((id) => id !== big.app.userID)
    await expectSameNumber((n) => send(big, { thread: { recipients: userIDs.slice(0, n), subject: 'S' } }))
  })

  const byOperator: [string, string][] = [
    ['apps', 'apps(first: $n) { nodes { name redirectURIs } }'],
    ['installations', 'installations(first: $n) { nodes { app { name } user { name } } }'],
    ['webhooks', 'webhooks(first: $n) { nodes { user { name } } }'],
    ['invitations', 'invitations(first: $n) { nodes { user { name } inviter { name } } }'],
    ['entries of the audit log', 'auditEntries(first: $n) { nodes { actor { name } object { name } } }'],
  ]
  test.each(byOperator)('%s that the operator lists', async (_what, selection) => {
    const query = `query ($id: ID!, $n: Int) { workspace(id: $id) { ${selection} } }`
    await expectSameNumber((n) => graphql(operatorToken, query, { id: big.workspaceID, n }))
  })

  test('nodes in any connection of the schema', () => {
    const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
      'getFields' in type ? Object.values(type.getFields()) : [],
    )
    const connections = new Set(
      fields.filter(({ type }) => /Connection!?$/.test(String(type))).map(({ name }) => name),
    )
    const asked = [events, ...[...nestedLists, ...byOperator].map(([, selection]) => selection)].join(' ')
    // A statement reads one workspace. Therefore the operator's lists of several workspaces need several statements.
    expect([...connections].filter((name) => !new RegExp(`\\b${name}\\(`).test(asked))).toEqual([
      // One statement reads a page of the deliveries of an endpoint, and one reads their attempts.
      'deliveries',
      'workspaces',
      // An account belongs to no workspace. One statement reads a page of them.
      'accounts',
      // One statement reads all grants of the people of an account, and one reads all of its sessions.
      'grants',
      'sessions',
      // A person has at most 50 tokens. One statement reads them.
      'personalAccessTokens',
    ])
  })
})

/** Returns the path of the link that was last mailed to an address. */
function linkTo(email: string): string {
  const mail = mailServer.mails.findLast(({ to }) => to.includes(email))
  return new URL(linkIn(mail?.source ?? '')).pathname
}

/** Runs a mutation as an app, and returns its payload. */
function actAs({ token }: { token: string }, name: string, input: object, selection: string) {
  return mutated(service, token, name, input, selection)
}

/** Returns every operation of every transport. A name contains the fields of Query and Mutation in the operation. */
function operationsOf(): Record<string, (world: World) => Promise<unknown>> {
  const post = (world: World, body: object) =>
    postToWebhook(service, world.webhook.path, { text: 'x', ...body })
  const change = async ({ webhook }: World, method: 'DELETE' | 'PATCH', path: string) => {
    const payload = method === 'PATCH' ? { closed: true, subject: 'T' } : undefined
    const answer = await service.app.inject({
      method,
      url: `${webhook.path}/${path}`,
      ...(payload && { payload }),
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const byApp = (text: string, variables: (world: World) => Promise<object> | object = () => ({})) => {
    return async (world: World) => graphql(world.app.token, text, await variables(world))
  }
  const list = 'pageInfo { endCursor }'
  const pages =
    (field: string, args = '') =>
    async (world: World) => {
      const ask = (page: string) => graphql(world.app.token, `{ ${field}(${page} ${args}) { ${list} } }`)
      const { pageInfo } = (await ask('first: 20')).data[field]
      await ask('last: 20')
      if (!pageInfo.endCursor) return
      await ask(`after: "${pageInfo.endCursor}"`)
      await ask(`last: 20, before: "${pageInfo.endCursor}"`)
    }
  const everyPage = 'messages { pageInfo { endCursor } } first: messages(first: 2) { nodes { id } }'
  return {
    'a webhook, a post': (world) => post(world, { target: world.publicGroup.id }),
    'a webhook, a post into a thread': (world) => post(world, { target: world.thread.id }),
    'a webhook, a post that opens a thread': (world) =>
      post(world, { target: world.publicGroup.id, threadSubject: 'S' }),
    'a webhook, uniqueBy and attachments': async (world) => {
      const attachments = [await upload(world), await upload(world)]
      const body = { target: world.publicGroup.id, uniqueBy: 'key', attachments }
      await post(world, body)
      const again = await post(world, body)
      expect(again.json().created).toBe(false)
    },
    'a webhook, threadBy': async (world) => {
      const body = { target: world.publicGroup.id, threadBy: 'key', threadSubject: 'S', uniqueBy: 'key' }
      await post(world, body)
      expect((await post(world, body)).json().created).toBe(false)
    },
    'several messages of one batch': async ({ operator, workspaceID, app, webhook, thread, fileID }) => {
      const key = createHash('sha256').update(webhook.path.split('/').at(-1) ?? '')
      const content = { text: 'x', uniqueBy: null, originID: null, mentionIDs: [], fileIDs: null }
      const active = { id: webhook.id, keyHash: key.digest('hex'), revision: 0 }
      const byWebhook = { ...content, authorID: webhook.userID, webhook: active }
      const byApp = { ...content, authorID: app.userID, webhook: undefined }
      const withKey = { ...byApp, uniqueBy: newID('msg'), fileIDs: [fileID] }
      const place = { workspaceID, threadID: thread.id }
      for (const drafts of [
        [byWebhook, byWebhook],
        [byApp, byWebhook],
        [withKey, byWebhook],
        [{ ...withKey, uniqueBy: newID('msg'), version: 1n, state: 'ok' as const }],
      ]) {
        await Promise.all(drafts.map((draft) => writeMessage(operator.db, place, draft)))
      }
    },
    'messages that programs wrote as a person': async ({ operator, workspaceID, ada, app, thread }) => {
      const content = {
        text: 'x',
        uniqueBy: null,
        mentionIDs: [],
        fileIDs: null,
        webhook: undefined,
        authorID: ada.id,
      }
      const place = { workspaceID, threadID: thread.id }
      const drafts = [app.id, newID('pat')].map((originID) => ({ ...content, originID }))
      const sent = await Promise.all(drafts.map((draft) => writeMessage(operator.db, place, draft)))
      const query =
        'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Message { origin { kind via isOwn } } } }'
      await graphql(app.token, query, { ids: sent.map(({ messageID }) => messageID) })
    },
    'a webhook with allowed targets, a post into a thread of an allowed group': async (world) => {
      const allow = (allowedTargets: string[]) =>
        operate('updateWebhook', { webhookID: world.webhook.id, allowedTargets }, '__typename')
      await allow([world.publicGroup.id])
      await post(world, { target: world.thread.id })
      await allow([])
    },
    'a webhook, an upload': upload,
    'a webhook, its name': ({ webhook: { path } }) => service.app.inject({ method: 'GET', url: path }),
    'a webhook, changes by ID': async (world) => {
      const target = world.publicGroup.id
      const { messageID, threadID } = (await post(world, { target, threadSubject: 'S' })).json()
      await change(world, 'DELETE', `messages/${messageID}`)
      await change(world, 'PATCH', `threads/${threadID}`)
    },
    'a webhook, changes by key': async (world) => {
      const target = world.publicGroup.id
      const { threadID } = (
        await post(world, { target, threadBy: 'own', threadSubject: 'S', uniqueBy: 'one' })
      ).json()
      await post(world, { target: threadID, uniqueBy: 'two' })
      await post(world, { target, uniqueBy: 'three' })
      await change(world, 'DELETE', `messages?target=${target}&threadBy=own&uniqueBy=one`)
      await change(world, 'DELETE', `messages?target=${threadID}&uniqueBy=two`)
      await change(world, 'DELETE', `messages?target=${target}&uniqueBy=three`)
      await change(world, 'PATCH', `threads?target=${target}&threadBy=own`)
    },
    'a token': (world) => requestToken(service, world.app.form),
    'the last calls of a webhook and resendWebhookCall': async (world) => {
      await post(world, { target: world.publicGroup.id })
      await service.app.webhookCalls.flush()
      const { webhook } = world
      const call = 'id status targetID query body isBodyCut messages { text }'
      const { ask } = await signedIn(service, world, 'admin')
      const { data } = await ask(`{ node(id: "${webhook.id}") { ... on Webhook { calls { ${call} } } } }`)
      const [{ id: webhookCallID }] = data.node.calls
      await ask(`{ node(id: "${webhookCallID}") { ... on WebhookCall { ${call} } } }`)
      await ask(mutation('resendWebhookCall', 'webhookCall { status }'), { input: { webhookCallID } })
      await sweepCalls(world.operator.db)
    },
    'the sweep of tokens': () => sweepAccessTokens(big.operator.db),
    'the sweep of files': async ({ operator, workspaceID, fileID }) => {
      await runScript(`UPDATE files SET sweep_at = now() WHERE workspace_id = '${workspaceID}' AND id = '${fileID}';
        UPDATE contents SET sweep_at = now() WHERE sha256 = sha256('x')`)
      await sweepFiles(operator, isInUse)
    },
    'uploadTicket and createFile, an upload and a download': async (world) => {
      const bytes = newID('upl')
      const file = await uploadByTicket(service, world.app.token, bytes)
      expect((await download(service, file)).body).toBe(bytes)
      expect((await announce(service, world.app.token, bytes)).data.uploadTicket.id).not.toBe(file.id)
    },
    'the pictures of a person, a webhook and an app, and a download of one': async (world) => {
      const { operator, webhook } = world
      const { id: userID, ask } = await signedIn(service, world, 'admin')
      const [avatarFileID, other] = [
        await uploadAs(service, ask, pngOf(64, 64)),
        await uploadAs(service, ask, pngOf(32, 32)),
      ]
      const { data } = await ask(mutation('updateUser', 'user { avatarURL }'), {
        input: { userID, avatarFileID },
      })
      expect((await download(service, { url: data.updateUser.user.avatarURL })).statusCode).toBe(200)
      await ask(mutation('updateWebhook', '__typename'), { input: { webhookID: webhook.id, avatarFileID } })
      const { id: appID } = await makeApp(service, operator, world.workspaceID)
      const { workspaceID } = await makeWorld(service)
      await operate('installApp', { workspaceID, appID }, '__typename')
      for (const avatarFileID of [other, null])
        await ask(mutation('updateApp', '__typename'), { input: { appID, avatarFileID } })
    },
    me: byApp('{ me { id groups { nodes { id } } } }'),
    viewer: byApp(
      '{ viewer { user { id } scopes installation { scopes app { id redirectURIs } } unread { threads } permissions } }',
    ),
    user: byApp(
      'query ($id: ID!) { user(id: $id) { name groups(last: 2) { nodes { id } } } }',
      ({ ada }) => ({ id: ada.id }),
    ),
    users: pages('users'),
    'users by an email address': pages('users', ', email: "p@example.com"'),
    'users by the start of a word': pages('users', ', search: "a"'),
    group: byApp(
      `query ($id: ID!) { group(id: $id) {
        name memberCount viewerRole members(last: 2) { nodes { id } } chat { id } } }`,
      (world) => ({
        id: world.privateGroup.id,
      }),
    ),
    groups: pages('groups'),
    'groups by the start of a word': pages('groups', ', search: "g"'),
    thread: byApp(
      `query ($id: ID!) { thread(id: $id) { ${everyPage} recipients { nodes { id name } } } }`,
      (world) => ({
        id: world.thread.id,
      }),
    ),
    threads: pages('threads'),
    'threads by lastMessage': pages('threads', ', order: lastMessage'),
    workspace: byApp(
      'query ($id: ID!) { workspace(id: $id) { users { nodes { id } } groups { nodes { id } } generalGroup { members { nodes { id } } } } }',
      (world) => ({ id: world.workspaceID }),
    ),
    workspaces: pages('workspaces'),
    'lists with lists in them': async ({ app, hotThreadID }) => {
      for (const [, selection] of nestedLists) {
        const text = selection.replace('$hot', hotThreadID)
        await graphql(app.token, `query ($n: Int) { ${text} }`, { n: 10 })
      }
    },
    'node and nodes': async (world) => {
      const { ada, publicGroup, thread, message, fileID, app, workspaceID } = world
      const ids = [
        ada.id,
        publicGroup.id,
        thread.id,
        message.id,
        fileID,
        workspaceID,
        `${ada.id}-${app.userID}`,
      ]
      const query =
        'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on UserEdge { persistentChatEdge { node { id } } } } }'
      const answer = await graphql(app.token, query, { ids })
      expect(answer.data.nodes).not.toContain(null)
      for (const id of ids) await graphql(app.token, 'query ($id: ID!) { node(id: $id) { id } }', { id })
    },
    'messages, from either end, with what is in them': async (world) => {
      const page = (args: string) =>
        graphql(
          world.app.token,
          `query ($id: ID!) { thread(id: $id) { messages(${args}) {
            ${list} nodes { html user { name } attachments(first: 5) { nodes { name } } } } } }`,
          { id: world.hotThreadID },
        )
      const { endCursor } = (await page('first: 20')).data.thread.messages.pageInfo
      await page('last: 10')
      await page(`first: 20, after: "${endCursor}"`)
      await page(`last: 20, before: "${endCursor}"`)
      const { nodes } = (
        await graphql(world.app.token, `{ thread(id: "${world.hotThreadID}") { messages { nodes { id } } } }`)
      ).data.thread.messages
      await page(`first: 20, around: "${nodes[0].id}"`)
    },
    'searchMessages, in all ways': async (world) => {
      const { workspaceID, ada, publicGroup, hotThreadID: threadID } = world
      const few = await makeApp(service, world.operator, workspaceID, ['threads:read'])
      const ask = async (token: string, variables: object) =>
        (await graphql(token, searchQuery, variables)).data.searchMessages.pageInfo.endCursor
      for (const order of ['newest', 'best']) {
        for (const words of ['common', 'some', 'rare']) await ask(few.token, { words, order })
        const cursor = await ask(world.app.token, { words: 'common', order, first: 2 })
        const pages = [
          { words: 'rare', last: 2 },
          { words: 'common', after: cursor },
          { words: 'some', before: cursor },
        ]
        for (const variables of pages) await ask(world.app.token, { ...variables, order })
        const [groupID, authorID, createdAfter] = [publicGroup.id, ada.id, '2020-01-01T00:00:00Z']
        for (const filter of [{ threadID }, { groupID, hasAttachment: true }, { authorID, createdAfter }]) {
          await ask(world.app.token, { words: 'common', order, filter })
        }
      }
    },
    'events, latestEventCursor': async (world) => {
      const { operator, workspaceID, app, thread, publicGroup } = world
      const { latestEventCursor } = (await graphql(app.token, '{ latestEventCursor }')).data
      const after = `after: "${latestEventCursor}"`
      await makeEvents(world)
      const admin = await makeAdminApp(world)
      for (const token of [app.token, admin.token]) {
        for (const filter of [
          'types: [messageCreated]',
          `threadID: "${thread.id}"`,
          `groupID: "${publicGroup.id}"`,
        ]) {
          await graphql(token, `{ events(first: 20, ${filter}) { ${list} } }`)
        }
        const { events } = (await graphql(token, `{ events(${after}) { ${list} nodes { ${eventFields} } } }`))
          .data
        expect(events.nodes.length).toBeGreaterThan(5)
        await graphql(token, `{ events(first: 5, after: "${events.pageInfo.endCursor}") { ${list} } }`)
      }
      await sweepEvents(operator.db, 7)
      expect(
        await rowsOfQuery(`SELECT FROM event_batches WHERE workspace_id = '${workspaceID}'`),
      ).not.toEqual([])
    },
    'the indexing of messages': async (world) => {
      const { operator, workspaceID } = world
      const positionIn = async (table: string) => {
        const [row] = await rowsOfQuery(`SELECT position FROM ${table} WHERE workspace_id = '${workspaceID}'`)
        return BigInt(String(row?.position ?? 0))
      }
      const head = await positionIn('event_heads')
      await post(world, { target: world.publicGroup.id })
      const stop = startIndexing(operator.db, {
        schemes: ['skein'],
        onError: (error) => expect(error).toBeNull(),
      })
      await expect.poll(() => positionIn('search_progress')).toBeGreaterThan(head)
      await stop()
      expect(recorded.filter(({ sql }) => sql.includes(unindexedWorkspaces))).toHaveLength(1)
    },
    'sendMessage, in all ways': async (world) => {
      const { ada, grace, publicGroup, privateGroup, workspaceID, thread } = world
      await send(world, { threadID: thread.id })
      for (const id of [ada.id, publicGroup.id, privateGroup.id, workspaceID]) {
        await send(world, { thread: { recipients: [id] } })
      }
      const several = { recipients: [ada.id, grace.id, publicGroup.id], subject: 'S', threadBy: 'key' }
      await send(world, { thread: several }, { uniqueBy: 'key' })
      await send(world, { thread: several }, { uniqueBy: 'key' })
      const refused = await sendMessage(world, { threadID: thread.id }, { attachments: [world.fileID] })
      expect(refused.errors?.[0]?.extensions.code).toBe('INVALID_INPUT')
    },
    'editMessage, pressMessageButton, addReaction, removeReaction, markRead, markUnread, deleteMessage':
      async (world) => {
        const { app, thread, as, ada } = world
        const own = await sendMessage(world, { threadID: thread.id })
        const messageID = own.data.sendMessage.message.id
        await actAs(app, 'editMessage', { messageID, text: 'y', attachments: [] }, messageOf)
        await actAs(app, 'editMessage', { messageID, buttons: [{ id: 'go', label: 'Go' }] }, messageOf)
        for (const clientKey of ['one', 'one'])
          await pressButton(as(ada.id), { messageID, buttonID: 'go', buttonsRevision: 1, clientKey })
        await actAs(app, 'addReaction', { messageID, emoji: '👍' }, messageOf)
        await actAs(app, 'removeReaction', { messageID, emoji: '👍' }, messageOf)
        await actAs(app, 'addReaction', { messageID: world.message.id, emoji: '👍' }, messageOf)
        await actAs(
          app,
          'markRead',
          { threadID: thread.id, upToMessageID: world.message.id },
          `thread { ${readState} }`,
        )
        await actAs(app, 'markRead', { threadID: thread.id }, `thread { ${readState} }`)
        await actAs(
          app,
          'markUnread',
          { threadID: thread.id, fromMessageID: messageID },
          `thread { ${readState} }`,
        )
        await actAs(app, 'deleteMessage', { messageID }, messageOf)
      },
    'updateThread, addRecipients, removeRecipients, and a thread from a message': async (world) => {
      const { app, ada, publicGroup, message } = world
      const thread = { recipients: [publicGroup.id], subject: 'S', fromMessageID: message.id }
      const sent = await actAs(
        app,
        'sendMessage',
        { thread, message: { text: 'x' } },
        'thread { id fromMessage { startedThreads(first: 2) { nodes { id } } } }',
      )
      const { id: threadID } = sent.thread
      const change = `thread { id startedBy { id } recipients { nodes { id } } } messageEdges { node { ${messageFields} } }`
      await actAs(app, 'updateThread', { threadID, subject: 'T', closed: true, repliesOff: true }, change)
      await actAs(app, 'addRecipients', { threadID, recipientIDs: [ada.id, world.privateGroup.id] }, change)
      await actAs(app, 'removeRecipients', { threadID, recipientIDs: [ada.id] }, change)
      await send(world, { thread: { recipients: [], fromMessageID: message.id } })
    },
    'threads by what a filter names': async (world) => {
      const { ada, publicGroup, workspaceID, app } = world
      for (const filter of [
        { groupID: publicGroup.id },
        { groupID: workspaceID, unread: true },
        { userID: ada.id, closed: false },
        { userID: app.userID, subjectContains: 's' },
        { kind: 'dm' },
        { kind: 'groupChat', activeAfter: '2020-01-01T00:00:00Z' },
        { kind: 'thread', activeAfter: '2020-01-01T00:00:00Z' },
        { startedByID: ada.id },
        { unread: false },
      ]) {
        for (const order of ['created', 'lastMessage']) {
          const query = `query ($filter: ThreadFilter) { threads(filter: $filter, order: ${order}, first: 5) { nodes { ${readState} } } }`
          await graphql(app.token, query, { filter })
        }
      }
    },
    "the operator's workspaces": async () => {
      const { endCursor } = (await graphql(operatorToken, `{ workspaces { ${list} } }`)).data.workspaces
        .pageInfo
      await graphql(operatorToken, `{ workspaces(after: "${endCursor}") { ${list} } }`)
      await graphql(operatorToken, `{ workspaces(last: 10, before: "${endCursor}") { ${list} } }`)
    },
    "the operator's workspace, with all of its lists": async ({ workspaceID, app, webhook }) => {
      const lists = ['users', 'groups', 'apps', 'installations', 'webhooks']
      const fields = lists.map((name) => `${name} { ${list} } last_${name}: ${name}(last: 3) { ${list} }`)
      const query = `query ($id: ID!) { workspace(id: $id) { ${fields.join(' ')}
        apps { nodes { redirectURIs } } installations { nodes { app { name } user { name } } } webhooks { nodes { user { name } } } } }`
      await graphql(operatorToken, query, { id: workspaceID })
      await graphql(operatorToken, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
        ids: [app.id, webhook.id, `${app.id}-${workspaceID}`],
      })
    },
    "the operator's auditEntries, verifyFiles and eraseAuditNames": async ({ workspaceID, ada }) => {
      const fields = `auditEntries(first: 10) { ${list} }`
      const query = `query ($id: ID!) { ${fields} workspace(id: $id) { ${fields} } verifyFiles { checkedCount next } }`
      await graphql(operatorToken, query, { id: workspaceID })
      const erased = mutation('eraseAuditNames', 'entryCount')
      await graphql(operatorToken, erased, { input: { ids: [ada.id], email: 'ada@example.com' } })
    },
    'the apps, installations and webhooks that a person manages': async (world) => {
      const { operator, workspaceID, generalGroupID: groupID, app, webhook } = world
      await updateWorkspace(operator, {
        workspaceID,
        membersMayCreateApps: true,
        membersMayCreateWebhooks: true,
      })
      for (const role of ['member', 'admin'] as const) {
        const { id: userID, ask } = await signedIn(service, world, role)
        const input = { workspaceID, name: 'A', redirectURIs: [redirectURI] }
        const created = await ask(mutation('createApp', 'app { id creator { id } }'), { input })
        const { id: appID } = created.data.createApp.app
        const hook = { workspaceID, name: `Hook of the ${role}` }
        const { data } = await ask(mutation('createWebhook', 'webhook { id }'), { input: hook })
        const lists = ['apps', 'installations', 'webhooks']
        const fields = lists.map((name) => `${name} { ${list} } last_${name}: ${name}(last: 3) { ${list} }`)
        await ask(`{ workspace(id: "${workspaceID}") { ${fields.join(' ')} } }`)
        const ids = [appID, `${appID}-${workspaceID}`, data.createWebhook.webhook.id, app.id, webhook.id]
        await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })
        await ask(mutation('updateApp', 'app { id }'), { input: { appID, name: 'B' } })
        await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
        await ask(mutation('installApp', 'installation { id }'), { input: { workspaceID, appID } })
        await ask(mutation('uninstallApp', 'app { id }'), { input: { workspaceID, appID } })
        await ask(mutation('deleteApp', 'app { id }'), { input: { appID } })
      }
    },
    'createWorkspace, updateWorkspace': async () => {
      const created = await operate('createWorkspace', { name: 'W' }, 'workspace { id }')
      await operate('updateWorkspace', { workspaceID: created.workspace.id, name: 'V' }, 'workspace { id }')
    },
    'createUser, updateUser, deleteUser, restoreUser': async ({ workspaceID }) => {
      const { user } = await operate('createUser', { workspaceID, name: 'U' }, 'user { id }')
      await operate('updateUser', { userID: user.id, name: 'V' }, 'user { id }')
      await operate('deleteUser', { userID: user.id }, 'user { id }')
      await operate('restoreUser', { userID: user.id }, 'user { id }')
    },
    "the operator's groups": async ({ workspaceID, ada, grace }) => {
      const { group } = await operate('createGroup', { workspaceID, name: 'G' }, 'group { id }')
      await changeGroup(operate, { groupID: group.id }, [ada.id, grace.id])
    },
    'createGroup, updateGroup, addMembers, updateMember, removeMembers': async (world) => {
      const { group } = await act(world, 'createGroup', { name: 'G', isPrivate: true }, 'group { id }')
      const change = (name: string, input: object, selection: string) => act(world, name, input, selection)
      await changeGroup(change, { groupID: group.id }, [world.ada.id, world.grace.id])
    },
    'muteGroup, unmuteGroup, muteThread, unmuteThread, followThread, unfollowThread, pinGroup, unpinGroup, pinThread, unpinThread, orderPins, markAllRead, undoMarkAllRead, as a person':
      async (world) => {
        const { as, ada, generalGroupID: groupID } = world
        const { id, ask } = await signedIn(service, world, 'member')
        const { thread } = await say(as(ada.id), [groupID], `Hello [N](skein:${id})`, 'Mine')
        const change = async (name: string, input: object, selection: string) =>
          expect(await ask(mutation(name, selection), { input })).not.toHaveProperty('errors')
        for (const name of ['muteThread', 'unmuteThread', 'followThread', 'unfollowThread'])
          await change(
            name,
            { threadID: thread.id },
            'thread { isMine isMuted isFollowed unreadMentionCount }',
          )
        for (const name of ['muteGroup', 'unmuteGroup'])
          await change(name, { groupID }, 'group { isMuted hasUnread }')
        await change('pinThread', { threadID: thread.id }, 'thread { isPinned }')
        await change('pinGroup', { groupID }, 'viewer { pins { ... on Group { isPinned } } }')
        await change('orderPins', { pinnedIDs: [groupID] }, 'viewer { pins { __typename } }')
        await change('unpinThread', { threadID: thread.id }, '__typename')
        await change('unpinGroup', { groupID }, '__typename')
        const nodes = 'nodes { id callsViewer }'
        for (const args of ['', '(unread: true)', '(unread: false)'])
          await ask(`{ viewer { mentions${args} { ${nodes} } } }`)
        for (const filter of [
          'mine: true',
          'mine: false',
          'personal: true',
          'mine: false, personal: true',
          'followed: true',
          'muted: true',
          'mine: true, unread: true',
        ])
          await ask(`{ threads(order: lastMessage, filter: { ${filter} }) { nodes { id unreadCount } } }`)
        for (const input of [{}, { groupID }])
          for (const name of ['markAllRead', 'undoMarkAllRead'])
            await change(name, input, 'viewer { unread { threads directMessages mentions } }')
      },
    'joinGroup, leaveGroup': async (world) => {
      const { group } = await act(world, 'createGroup', { name: 'G' }, 'group { id }')
      for (const groupID of [world.publicGroup.id, group.id]) {
        await act(world, 'joinGroup', { groupID }, 'groupEdge { cursor } memberEdge { role node { name } }')
      }
      const userIDs = [world.ada.id, world.webhook.userID]
      await act(world, 'addMembers', { groupID: group.id, userIDs }, 'group { id }')
      for (const groupID of [world.publicGroup.id, group.id]) {
        await act(
          world,
          'leaveGroup',
          { groupID },
          'group { memberCount } promotedMemberEdge { node { id } }',
        )
      }
    },
    'createApp, updateApp, rotateClientSecret, installApp, uninstallApp, revokeAccessTokens, deleteApp':
      async (world) => {
        const { workspaceID } = world
        const input = { workspaceID, name: 'A', redirectURIs: [redirectURI] }
        const edges = 'installationEdge { node { app { id } } } userEdge { node { id } }'
        const appID = (await operate('createApp', input, `app { id } appEdge { cursor } ${edges}`)).app.id
        await operate('updateApp', { appID, redirectURIs: [`${redirectURI}/2`] }, 'app { id redirectURIs }')
        await operate('rotateClientSecret', { appID }, 'app { id }')
        await operate(
          'installApp',
          { workspaceID, appID, scopes: ['groups:read'] },
          `installation { app { id } user { id } } ${edges}`,
        )
        await operate('revokeAccessTokens', { workspaceID, appID }, 'revokedCount')
        await operate('uninstallApp', { workspaceID, appID }, 'app { id }')
        await operate('installApp', { workspaceID, appID }, 'installation { scopes }')
        await operate('deleteApp', { appID }, 'app { id }')
      },
    'createWebhook, updateWebhook, rotateWebhookKey, endPreviousWebhookKey, disableWebhook, enableWebhook, deleteWebhook':
      async ({ workspaceID }) => {
        const { webhook } = await operate(
          'createWebhook',
          { workspaceID, name: newID('wbh') },
          'webhook { id user { id } } webhookEdge { cursor } userEdge { node { id } }',
        )
        await operate(
          'updateWebhook',
          { webhookID: webhook.id, name: newID('wbh'), expiresAt: '2999-01-01T00:00:00Z' },
          'webhook { user { name } }',
        )
        await operate('rotateWebhookKey', { webhookID: webhook.id, overlapHours: 1 }, 'url')
        for (const name of [
          'rotateWebhookKey',
          'endPreviousWebhookKey',
          'disableWebhook',
          'enableWebhook',
          'deleteWebhook',
        ]) {
          await operate(name, { webhookID: webhook.id }, 'webhook { id user { id } }')
        }
      },
    'createEventEndpoint, updateEventEndpoint, rotateEventEndpointSecret, enableEventEndpoint, disableEventEndpoint, eventEndpoint, sendTestEvent, deliveries, replayDelivery, replayDeliveries, skipDelivery, deleteEventEndpoint':
      async ({ app, webhook, publicGroup }) => {
        for (const owner of [{ appID: app.id, groupID: publicGroup.id }, { webhookID: webhook.id }]) {
          const created = await operate('createEventEndpoint', { ...owner, url }, 'eventEndpoint { id }')
          const endpoint = { endpointID: created.eventEndpoint.id }
          await operate('updateEventEndpoint', { ...endpoint, groupID: null, types: null }, '__typename')
          await operate('rotateEventEndpointSecret', endpoint, '__typename')
          await runScript(`UPDATE event_endpoints SET state = 'paused' WHERE id = '${endpoint.endpointID}'`)
          await operate('disableEventEndpoint', endpoint, '__typename')
          await operate('enableEventEndpoint', endpoint, '__typename')
          const tested = await operate('sendTestEvent', endpoint, 'delivery { id attempts { number } }')
          await operate('replayDelivery', { deliveryID: tested.delivery.id }, '__typename')
          await operate('skipDelivery', { deliveryID: tested.delivery.id }, '__typename')
          await operate('replayDeliveries', { ...endpoint, failed: true }, '__typename')
          await operate('replayDeliveries', { ...endpoint, since: '2020-01-01T00:00:00Z' }, '__typename')
          const pages = ['first: 2', 'last: 2', 'first: 2, status: succeeded', 'first: 2, status: failed']
          const lists = pages.map(
            (args, index) => `p${index}: deliveries(endpointID: $id, ${args}) { ${list} }`,
          )
          const query = `query ($id: ID!) { eventEndpoint(id: $id) { id } node(id: $id) { id } ${lists.join(' ')} }`
          await graphql(operatorToken, query, { id: endpoint.endpointID })
          await operate('deleteEventEndpoint', endpoint, '__typename')
        }
      },
    'the endpoints of an app and a webhook, for an admin': async (world) => {
      const { ask } = await signedIn(service, world, 'admin')
      const { app, webhook } = world
      const input = { url, appID: app.id }
      const made = await ask(mutation('createEventEndpoint', 'eventEndpoint { id creator { id } }'), {
        input,
      })
      const endpointID = made.data.createEventEndpoint.eventEndpoint.id
      const ids = [app.id, webhook.id, endpointID]
      await ask(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { id
          ... on App { eventEndpoints { id } } ... on Webhook { eventEndpoints { id } } } }`,
        { ids },
      )
      await ask(mutation('deleteEventEndpoint', '__typename'), { input: { endpointID } })
    },
    'the delivery of events': async ({ operator, workspaceID, app, publicGroup, webhook }) => {
      const { db } = operator
      const input = { appID: app.id, url, types: ['messageCreated'] }
      const created = await operate('createEventEndpoint', input, 'eventEndpoint { id }')
      const key = { workspaceID, endpointID: created.eventEndpoint.id }
      const waiting = new WaitingListeners(db)
      await waiting.find()
      await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'x' })
      await sequenceEvents(db)
      recorded.length = 0
      const found = (await waiting.find()).filter(({ endpointID }) => endpointID === key.endpointID)
      const [listener] = found
      if (listener) await fanOut(operator, listener)
      await listenInNewInstallations(db, [workspaceID])
      expect(await dueEndpoints(db)).toContainEqual(key)
      const [claim] = await claimDeliveries(db, key, { queues: 2, each: 8, except: [] })
      const [delivery] = claim?.deliveries ?? []
      expect(delivery?.type).toBe('message.created')
      const attempt = { startedAt: new Date(), durationMs: 1, status: 500, error: null, response: '' }
      const outcome = { status: 'pending', gapMs: 1000, attempt, isContinued: false } as const
      const written = claim && delivery && (await recordOutcome(db, claim.queue, delivery, outcome))
      expect(written?.endpoint.id).toBe(key.endpointID)
      if (!written) return
      await releaseClaim(db, written.queue, 0)
      await noteOutcome(operator, written.endpoint, { status: 'pending', isGone: false, retryCount: 0 })
      await operate('deleteEventEndpoint', { endpointID: key.endpointID }, '__typename')
    },
    'reencryptEventSecrets, with and without a previous secret': async ({ app, webhook }) => {
      const endpointIDs: string[] = []
      for (const owner of [{ appID: app.id }, { webhookID: webhook.id }]) {
        const created = await operate('createEventEndpoint', { ...owner, url }, 'eventEndpoint { id }')
        endpointIDs.push(created.eventEndpoint.id)
      }
      await operate('rotateEventEndpointSecret', { endpointID: endpointIDs[0] }, '__typename')
      await graphql(operatorToken, 'mutation { reencryptEventSecrets { endpointCount } }')
      for (const endpointID of endpointIDs) await operate('deleteEventEndpoint', { endpointID }, '__typename')
    },
    'inviteUser, inviteUsers, revokeInvitation, the list of invitations and a link that does not work':
      async (world) => {
        const { workspaceID } = world
        const email = 'invited@example.com'
        await operate('inviteUser', { workspaceID, email }, 'user { id } userEdge { cursor } invitationURL')
        const invite = async () => {
          const input = { workspaceID, people: [{ email }, { email: 'other@example.com' }] }
          return (await operate('inviteUsers', input, 'results { user { id } problem { message } }')).results
        }
        const [{ user }] = await invite()
        const path = linkTo(email)
        const list = `{ workspace(id: "${workspaceID}") { invitations(first: 2) { nodes { user { id } inviter { name } } } } }`
        expect((await graphql(operatorToken, list)).data.workspace.invitations.nodes).toHaveLength(2)
        await operate('revokeInvitation', { userID: user.id }, 'removedUserID')
        expect((await service.app.inject(path)).statusCode).toBe(403)
        expect((await invite())[0].user.id).toBe(user.id)
      },
    'an invitation that a person accepts with a name and a password': async ({ workspaceID }) => {
      const email = `${newID('usr').toLowerCase()}@example.com`
      await operate('inviteUser', { workspaceID, email }, 'invitationURL')
      const path = linkTo(email)
      await service.app.inject(path)
      const fields = { name: 'New name', password: 'winter-morning-bread' }
      expect((await postForm(service, path, fields)).statusCode).toBe(303)
    },
    mailSignInLink: async (world) => {
      const { email, id: userID } = await signedIn(service, world, 'member')
      const send = () => mutate(service, operatorToken, 'mailSignInLink', { userID }, 'user { id }')
      for (let count = 0; count < 3; count += 1) expect((await send()).errors).toBeUndefined()
      expect(codesOf(await send())).toEqual(['RATE_LIMITED'])
      expect(linkTo(email)).toContain('/signin/link/')
    },
    endUserSessions: async (world) => {
      const { id: userID } = await signedIn(service, world, 'member')
      await operate('endUserSessions', { userID }, 'user { id }')
    },
    'createSignInLink, its link, the session and its end': async ({ operator, ada }) => {
      const [row] = await rowsOfQuery(`SELECT email FROM users WHERE id = '${ada.id}'`)
      const email = String(row?.email ?? 'ada@example.com')
      await runScript(`UPDATE users SET email = '${email}' WHERE id = '${ada.id}'`)
      const { url } = await operate('createSignInLink', { email }, 'url')
      expect(url).toContain('/signin/link/')
      const cookie = await signIn(service, operator, email)
      await graphqlAs(service, { cookie, workspaceID: ada.workspaceID }, '{ me { id } }')
      const page = await service.app.inject({ url: '/account', headers: { cookie } })
      const [, session = ''] = /value="(ses_\w+)"/.exec(page.body) ?? []
      await postForm(service, '/account/sessions/end', { session }, { cookie, ...sameOrigin })
    },
    'endSession, endOtherSessions': async (world) => {
      const { email, ask } = await signedIn(service, world, 'member')
      await signIn(service, world.operator, email)
      const listed = await ask('{ viewer { hasPassword sessions(first: 2) { nodes { browser } } } }')
      expect(listed.data.viewer.sessions.nodes).toHaveLength(2)
      await ask('mutation { endOtherSessions { removedSessionIDs } }')
      const { data } = await ask('{ viewer { sessions { nodes { id } } } }')
      const [{ id: sessionID }] = data.viewer.sessions.nodes
      await ask(mutation('endSession', 'removedSessionID'), { input: { sessionID } })
    },
    'a grant that acts as a person, revokeGrant': async (world) => {
      const consenter = await makeConsenter(service, world)
      const robot = await makeClient(world, { scopes: ['groups:read'] })
      await tokensFrom(service, consenter, robot, { act_as: 'user' })
      const { data } = await consenter.ask('{ viewer { grants { nodes { id appName } } } }')
      const [{ id: grantID }] = data.viewer.grants.nodes
      const revoked = await consenter.ask(mutation('revokeGrant', 'removedGrantID'), { input: { grantID } })
      expect(revoked.errors).toBeUndefined()
    },
    'createPersonalAccessToken, its use, revokePersonalAccessToken': async (world) => {
      const { ask } = await signedIn(service, world, 'member')
      const input = { name: 'T', scopes: ['groups:read'], expiresInDays: 1 }
      const fields = 'accessToken personalAccessToken { id }'
      const { data } = await ask(mutation('createPersonalAccessToken', fields), { input })
      const { accessToken, personalAccessToken } = data.createPersonalAccessToken
      await graphql(accessToken, '{ me { id } }')
      await ask('{ viewer { personalAccessTokens(first: 1) { nodes { id } } } }')
      const revoked = { personalAccessTokenID: personalAccessToken.id }
      await ask(mutation('revokePersonalAccessToken', 'removedPersonalAccessTokenID'), { input: revoked })
    },
    'the grant: consent, code, refresh token, introspection, revocation': async (world) => {
      const consenter = await makeConsenter(service, world)
      const robot = await makeClient(world, { scopes: ['groups:read'] })
      for (const more of [{}, { act_as: 'user' }]) {
        const tokens = await tokensFrom(service, consenter, robot, more)
        await graphql(tokens.access_token, '{ me { id } }')
        const refreshed = (await refresh(service, robot, tokens.refresh_token)).json()
        for (const token of [refreshed.access_token, refreshed.refresh_token]) {
          expect((await postAs(service, '/oauth/introspect', robot, { token })).json().active).toBe(true)
        }
        await postAs(service, '/oauth/revoke', robot, { token: refreshed.refresh_token })
      }
    },
    'accounts, endAccountSessions, deactivateAccount, reactivateAccount': async (world) => {
      const { email } = await makeConsenter(service, world)
      for (const args of ['first: 1', `email: ${JSON.stringify(email)}`]) {
        const payload = { query: `{ accounts(${args}) { nodes { id } } }` }
        const headers = { authorization: `Bearer ${operatorToken}` }
        const listed = await service.app.inject({
          method: 'POST',
          url: '/operator/graphql',
          headers,
          payload,
        })
        expect(listed.json().data.accounts.nodes).toHaveLength(1)
      }
      await operate('endAccountSessions', { email }, 'account { id }')
      await operate('deactivateAccount', { email }, 'account { id }')
      await operate('reactivateAccount', { email }, 'account { id }')
    },
    'createOperatorToken, operatorTokens, revokeOperatorToken': async ({ workspaceID: name }) => {
      const { token } = await operate('createOperatorToken', { name }, 'token')
      const headers = { authorization: `Bearer ${token}` }
      const payload = { query: '{ operatorTokens { id } }' }
      const listed = await service.app.inject({ method: 'POST', url: '/operator/graphql', headers, payload })
      expect(listed.json().errors).toBeUndefined()
      await operate('revokeOperatorToken', { name }, 'operatorToken { id }')
    },
    'the sweep of credentials that have expired': async ({ operator: { db } }) => {
      await Promise.all([
        sweepSessions(db, 180),
        sweepSignInLinks(db),
        sweepGrants(db),
        sweepPersonalTokens(db),
      ])
    },
    'createStarterWorkspace, createWelcome and its link, removeStarterWorkspace': async () => {
      await rm(join(service.dataDir, 'starter.json'), { force: true })
      await graphql(operatorToken, 'mutation { createStarterWorkspace { workspace { id } } }')
      const made = await graphql(operatorToken, 'mutation { createWelcome { welcome } }')
      const [, code] = /code=(\S+)/.exec(made.data.createWelcome.welcome) ?? []
      const request = { method: 'POST', url: '/explorer/session', payload: { code } } as const
      expect((await service.app.inject(request)).statusCode).toBe(200)
      await operate('removeStarterWorkspace', {}, 'removedWorkspaceID')
    },
  }
}

const searchQuery = `query ($words: String!, $order: MessageSearchOrder, $filter: MessageSearchFilter, $first: Int, $after: String, $last: Int, $before: String) {
  searchMessages(query: $words, order: $order, filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    edges { excerpt node { id } } pageInfo { endCursor } } }`

async function graphql(token: string, query: string, variables?: object): Promise<GraphQLAnswer> {
  const answer = await service.graphql(token, query, variables)
  expect(answer.errors).toBeUndefined()
  return answer
}

/** Runs a mutation as the operator, and returns its payload. */
function operate(name: string, input: object, selection: string) {
  return mutated(service, operatorToken, name, input, selection)
}

/** Runs a mutation as the app of a world, and returns its payload. */
function act({ app }: BasicWorld, name: string, input: object, selection: string) {
  return mutated(service, app.token, name, input, selection)
}

/** Runs every mutation that changes a group. Adds the users as members, and removes them at the end. */
async function changeGroup(change: typeof operate, group: object, userIDs: string[]): Promise<void> {
  await change('updateGroup', { ...group, name: 'H' }, 'group { viewerRole }')
  await change('addMembers', { ...group, userIDs }, 'memberEdges { role } group { members { nodes { id } } }')
  for (const role of ['admin', 'member']) {
    await change('updateMember', { ...group, userID: userIDs[0], role }, 'memberEdge { role }')
  }
  await change('removeMembers', { ...group, userIDs }, 'removedUserIDs group { memberCount }')
}

function sendMessage({ app }: World, where: object, message: object = {}) {
  const input = { ...where, message: { text: 'x', ...message } }
  const selection = 'message { id } messageEdge { cursor } threadEdge { node { id } }'
  return mutate(service, app.token, 'sendMessage', input, selection)
}

async function send(world: World, where: object, message?: object): Promise<void> {
  expect((await sendMessage(world, where, message)).errors).toBeUndefined()
}

async function upload({ webhook }: BasicWorld): Promise<string> {
  return (await uploadToWebhook(service, webhook.path, newID('fil'))).json().id
}

/** Creates a world whose app can see at least one object of every type. */
async function makeBusyWorld() {
  const world = await makeWorld(service)
  const { operator, workspaceID, ada, privateGroup, publicGroup, app, as } = world
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
  const { thread } = await say(as(ada.id), [publicGroup.id, privateGroup.id, app.userID], 'x', 'S')
  const hot = await say(as(ada.id), [workspaceID, publicGroup.id], 'x', 'Hot')
  const fileID = await upload(world)
  const body = {
    target: thread.id,
    text: `[A](skein:${ada.id}) [B](skein:${publicGroup.id})`,
    attachments: [fileID],
  }
  const posted = await postToWebhook(service, world.webhook.path, body)
  return {
    ...world,
    thread,
    message: { id: posted.json().messageID as string },
    fileID,
    hotThreadID: hot.thread.id,
  }
}

/** Changes an object of each type that has events. The first ten events contain each of these types. */
async function makeEvents({
  operator,
  workspaceID,
  ada,
  publicGroup,
  privateGroup,
  as,
}: BasicWorld): Promise<void> {
  const { app } = await createApp(operator, { workspaceID, name: 'A', redirectURIs: [redirectURI] })
  await createWebhook(operator, { workspaceID, name: newID('wbh') })
  const { thread, message } = await say(as(ada.id), [publicGroup.id], 'x', 'S')
  await addReaction(as(ada.id), { messageID: message.id, emoji: '👍' })
  await updateThread(as(ada.id), { threadID: thread.id, subject: newID('thr') })
  await addRecipients(as(ada.id), { threadID: thread.id, recipientIDs: [ada.id, privateGroup.id] })
  await updateGroup(operator, { groupID: publicGroup.id, name: newID('grp') })
  await updatePerson(operator, { userID: ada.id, name: app.id })
}

/** Creates an app that receives the events of all apps and webhooks. */
async function makeAdminApp({ operator, workspaceID, generalGroupID: groupID }: BasicWorld) {
  const app = await makeApp(service, operator, workspaceID)
  await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
  return app
}

type Size = Record<
  'persons' | 'apps' | 'webhooks' | 'groups' | 'members' | 'dms' | 'threads' | 'each' | 'files',
  number
>

/**
 * Inserts so many rows into almost every table that the planner uses the indexes: a large workspace among 120 small
 * ones. The foreign keys are valid, but they are not checked, for speed.
 */
async function makeVolume({ operator, workspaceID, hotThreadID, app }: World): Promise<void> {
  const unchecked = "PERFORM set_config('session_replication_role', 'replica', true)"
  const run = (...sql: string[]) =>
    operator.db.$executeRawUnsafe(`DO $do$ BEGIN ${[unchecked, ...sql].join(';\n')}; END $do$`)
  const small = {
    persons: 6,
    apps: 6,
    webhooks: 6,
    groups: 3,
    members: 4,
    dms: 3,
    threads: 6,
    each: 2,
    files: 2,
  }
  const large = {
    persons: 500,
    apps: 100,
    webhooks: 150,
    groups: 200,
    members: 10,
    dms: 500,
    threads: 1200,
    each: 4,
    files: 400,
  }
  await run(
    `INSERT INTO workspaces (id, name) SELECT ${id('wks', 'n')}, 'W' || n FROM generate_series(1001, 1120) n`,
    "INSERT INTO groups (workspace_id, id, name) SELECT id, general_group_id, 'General' FROM workspaces WHERE name <> 'Workshop'",
    ...rowsOf(
      "(SELECT id, right(id, 9)::integer AS number FROM workspaces WHERE name LIKE 'W_%' AND name <> 'Workshop') w",
      small,
    ),
  )
  await run(
    ...rowsOf(`(SELECT '${workspaceID}'::text AS id, 0 AS number) w`, large),
    `INSERT INTO group_members (workspace_id, group_id, user_id)
      SELECT '${workspaceID}', ${id('grp', '10000 + n * 10')}, '${app.userID}' FROM generate_series(1, 20) n`,
    `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, unique_by)
      SELECT '${workspaceID}', ${id('msg', '900000000 + n')}, '${hotThreadID}', n, ${id('usr', 'n % 500 + 1')},
        '[A](skein:' || ${id('usr', 'n % 300 + 1')} || ') common' || CASE WHEN n % 50 = 0 THEN ' some' ELSE '' END
          || CASE WHEN n % 83 = 0 AND n < 4500 THEN ' rare' ELSE '' END, CASE WHEN n % 3 = 0 THEN 'key ' || n END
      FROM generate_series(2, 5000) n`,
    `INSERT INTO attachments (workspace_id, message_id, position, file_id)
      SELECT '${workspaceID}', ${id('msg', '900000000 + n')}, 1, ${id('fil', 'n % 400 + 1')} FROM generate_series(2, 400) n`,
    `UPDATE messages m SET buttons = '[{"id":"go","label":"Go","style":"default"}]',
      attachment_count = (SELECT count(*) FROM attachments a WHERE a.workspace_id = m.workspace_id AND a.message_id = m.id)`,
    `INSERT INTO reactions (workspace_id, message_id, emoji, user_id)
      SELECT '${workspaceID}', ${id('msg', '900000000 + n')}, '👍', ${id('usr', 'n % 500 + m')}
      FROM generate_series(2, 400) n, generate_series(1, 3) m`,
    `INSERT INTO button_presses (workspace_id, message_id, buttons_revision, button_id, user_id, client_key)
      SELECT '${workspaceID}', ${id('msg', '900000000 + n')}, 1, 'go', ${id('usr', 'n % 500 + m')}, 'key'
      FROM generate_series(2, 400) n, generate_series(1, 3) m`,
    `INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to)
      SELECT t.workspace_id, '${app.userID}', t.id, 1 FROM threads t WHERE t.workspace_id = '${workspaceID}'`,
    `UPDATE threads SET from_message_id = ${id('msg', '900000002')} WHERE workspace_id = '${workspaceID}' AND subject = 'S' AND id LIKE '%7'`,
    `INSERT INTO searchable_messages (workspace_id, created_at, position, message_id, words)
      SELECT workspace_id, created_at, position, id,
        replace(' ' || to_tsvector('simple', text)::text, ' ''', ' ''' || right(workspace_id, 4))::tsvector
          || array_to_tsvector(ARRAY[thread_id, author_id]) FROM messages`,
    'DELETE FROM event_notes',
    `INSERT INTO event_endpoints (workspace_id, id, app_id, url, types, secret)
      SELECT workspace_id, 'end_' || right(id, 27), id, '${url}', '{}', '' FROM apps WHERE id LIKE 'app_0000%'`,
    `INSERT INTO event_endpoints (workspace_id, id, webhook_id, url, types, secret)
      SELECT workspace_id, 'end_9' || right(id, 26), id, '${url}', '{}', '' FROM webhooks WHERE id LIKE 'wbh_0000%'`,
    `INSERT INTO event_listeners (workspace_id, endpoint_id, event_workspace_id, position)
      SELECT workspace_id, id, workspace_id, 0 FROM event_endpoints`,
    `INSERT INTO event_deliveries (workspace_id, id, endpoint_id, key, event_workspace_id, position, type, object_id, event_created_at,
        status, started_at, created_at)
      SELECT workspace_id, 'dlv_' || left(md5(id || n), 27), id, 'k' || n % 5, workspace_id, n, 'message.created', 'x', now(),
        CASE WHEN n > 25 THEN 'pending' WHEN n = 1 THEN 'failed' ELSE 'succeeded' END, now(), now()
      FROM event_endpoints, generate_series(1, 30) n`,
    `INSERT INTO event_queues (workspace_id, endpoint_id, key, pending, next_attempt_at)
      SELECT workspace_id, endpoint_id, key, count(*), now() + interval '1 hour' FROM event_deliveries
      WHERE status = 'pending' GROUP BY workspace_id, endpoint_id, key`,
    `INSERT INTO event_attempts (workspace_id, delivery_id, number, started_at, duration_ms)
      SELECT workspace_id, id, 1, now(), 1 FROM event_deliveries`,
    `INSERT INTO event_batches (workspace_id, last_position, types, thread_ids, object_ids, times)
      SELECT workspace_id, max(place), array_agg('message.created'::text), array_agg(thread_id ORDER BY place),
        array_agg(id ORDER BY place), array_agg(created_at ORDER BY place)
      FROM (SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place FROM messages) m
      GROUP BY workspace_id, (place - 1) / 10`,
    'INSERT INTO event_heads SELECT workspace_id, max(last_position) FROM event_batches GROUP BY workspace_id',
    'INSERT INTO search_progress SELECT workspace_id, position FROM event_heads',
    `INSERT INTO workspaces (id, name) SELECT ${id('wks', '10000 + n')}, 'Empty' FROM generate_series(1, 1000) n`,
    `INSERT INTO accounts (id, email) SELECT ${id('acc', 'n')}, 'n' || n || '@example.org' FROM generate_series(1, 3000) n`,
    `INSERT INTO sessions (token_hash, id, account_id)
      SELECT sha256(n::text::bytea), ${id('ses', 'n')}, ${id('acc', 'n')} FROM generate_series(1, 3000) n`,
    `INSERT INTO sign_in_links (code_hash, email, proves_email, expires_at)
      SELECT sha256(n::text::bytea), 'n' || n || '@example.org', TRUE, now() + interval '1 hour' FROM generate_series(1, 3000) n`,
    `INSERT INTO oidc_subjects (issuer, subject, account_id)
      SELECT 'https://i.example', n, ${id('acc', 'n')} FROM generate_series(1, 3000) n`,
    `INSERT INTO operator_tokens (id, name, token_hash)
      SELECT ${id('opt', 'n')}, 'Operator ' || n, sha256(n::text::bytea) FROM generate_series(1, 3000) n`,
    `INSERT INTO personal_access_tokens (workspace_id, id, user_id, name, scopes, token_hash, expires_at)
      SELECT workspace_id, 'pat_' || right(id, 27), id, 'T', '{groups:read}', sha256((workspace_id || id)::bytea), now() + interval '1 day' FROM users`,
    `INSERT INTO grants (workspace_id, id, app_id, user_id, acts_as_user, scopes, code_hash, redirect_uri, expires_at)
      SELECT workspace_id, 'grt_' || right(app_id, 27), app_id, user_id, TRUE, '{groups:read}', sha256((workspace_id || app_id)::bytea),
        'https://1.example', now() + interval '1 day' FROM installations`,
    `INSERT INTO refresh_tokens (workspace_id, token_hash, grant_id)
      SELECT workspace_id, sha256((workspace_id || id || n)::bytea), id FROM grants, generate_series(1, 5) n`,
    `UPDATE threads SET last_position = 5000 WHERE workspace_id = '${workspaceID}' AND id = '${hotThreadID}'`,
    `UPDATE access_tokens SET expires_at = now() WHERE workspace_id = '${workspaceID}' AND app_id = ${id('app', '1')}`,
  )
  await operator.db.$executeRawUnsafe('ANALYZE')
}

function id(prefix: string, number: string): string {
  return `('${prefix}_' || lpad((${number})::text, 27, '0'))`
}

/** Returns the statements that fill workspaces up to a size. `workspaces` is SQL for rows with an ID and a number. */
function rowsOf(workspaces: string, size: Size): string[] {
  const { persons, apps, webhooks, groups, members, dms, threads, each, files } = size
  const person = (number: string) => id('usr', `(${number}) % ${persons} + 1`)
  const general = "('grp_' || substr(w.id, 5))"
  const ago = "now() - interval '1 minute' * (5000 - n)"
  const n = (count: number) => `${workspaces}, generate_series(1, ${count}) n`
  return [
    `INSERT INTO users (workspace_id, id, kind, name, created_at) SELECT w.id, ${id('usr', 'n')},
      CASE WHEN n <= ${persons} THEN 'person' WHEN n <= ${persons + apps} THEN 'app' ELSE 'webhook' END, 'User ' || n, ${ago}
      FROM ${n(persons + apps + webhooks)}`,
    `INSERT INTO groups (workspace_id, id, name, is_private, created_at)
      SELECT w.id, ${id('grp', '10000 + n')}, 'Group ' || n, n % 4 = 0, ${ago} FROM ${n(groups)}`,
    `INSERT INTO group_members (workspace_id, group_id, user_id)
      SELECT w.id, ${general}, ${id('usr', 'n')} FROM ${n(persons + apps + webhooks)}`,
    `INSERT INTO group_members (workspace_id, group_id, user_id)
      SELECT w.id, ${id('grp', '10000 + n')}, ${person('n * 7 + m')} FROM ${n(groups)}, generate_series(1, ${members}) m`,
    `INSERT INTO threads (workspace_id, id, kind, chat_group_id, created_at, last_activity_at, last_position)
      SELECT w.id, ${id('thr', 'n')}, 'group_chat', ${id('grp', '10000 + n')}, ${ago}, ${ago}, ${each} FROM ${n(groups)}`,
    `INSERT INTO threads (workspace_id, id, kind, dm_low_user_id, dm_high_user_id, created_at, last_activity_at, last_position)
      SELECT w.id, ${id('thr', '10000 + n')}, 'dm', ${id('usr', '(n - 1) / 20 + 1')}, ${id('usr', `${persons} - n % 20`)}, ${ago}, ${ago}, ${each}
      FROM ${n(dms)}`,
    `INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, thread_by, thread_by_target, created_at, last_activity_at, last_position)
      SELECT w.id, ${id('thr', '20000 + n')}, 'thread', 'S', ${person('n')}, CASE WHEN n % 2 = 0 THEN 'key ' || n END,
        CASE WHEN n % 2 = 0 THEN ${id('grp', `10000 + n % ${groups} + 1`)} END, ${ago}, ${ago}, ${each} FROM ${n(threads)}`,
    `INSERT INTO recipients (workspace_id, thread_id, user_id)
      SELECT w.id, ${id('thr', '20000 + n')}, ${person('n + m')} FROM ${n(threads)}, generate_series(0, 1) m`,
    `INSERT INTO recipients (workspace_id, thread_id, group_id)
      SELECT w.id, ${id('thr', '20000 + n')}, CASE WHEN n % 15 = 0 THEN ${general} ELSE ${id('grp', `10000 + n % ${groups} + 1`)} END
      FROM ${n(threads)} WHERE n % 3 = 0`,
    `INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, unique_by)
      SELECT t.workspace_id, 'msg_' || right(t.id, 24) || '00' || m, t.id, m, ${person('m')}, 'x', CASE WHEN m % 2 = 0 THEN 'key ' || m END
      FROM ${workspaces} JOIN threads t ON t.workspace_id = w.id AND t.id LIKE 'thr_000%', generate_series(1, ${each}) m`,
    `INSERT INTO reactions (workspace_id, message_id, emoji, user_id)
      SELECT w.id, 'msg_' || right(${id('thr', '20000 + n')}, 24) || '001', '👍', ${person('n')} FROM ${n(threads)}`,
    `INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to)
      SELECT w.id, ${person('m')}, ${id('thr', '20000 + n')}, 1 FROM ${n(threads)}, generate_series(1, 5) m`,
    `INSERT INTO contents (sha256) SELECT sha256(n::text::bytea) FROM generate_series(1, ${files}) n ON CONFLICT DO NOTHING`,
    `INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256)
      SELECT w.id, ${id('fil', 'n')}, ${id('usr', `${persons + apps} + n % ${webhooks} + 1`)}, 'F' || n, n, decode(md5(n::text), 'hex'), sha256(n::text::bytea)
      FROM ${n(files)}`,
    `INSERT INTO upload_tickets (workspace_id, id, uploader_id, name, size_bytes, md5, expires_at)
      SELECT w.id, ${id('upl', 'n')}, ${person('n')}, 'F' || n, n, decode(md5(n::text), 'hex'), now() + interval '1 hour'
      FROM ${n(files)}`,
    `INSERT INTO attachments (workspace_id, message_id, position, file_id)
      SELECT w.id, 'msg_' || right(${id('thr', '20000 + n')}, 24) || '001', m, ${id('fil', 'm')} FROM ${n(threads)}, generate_series(1, 2) m`,
    `INSERT INTO apps (workspace_id, id, name, secret_hash)
      SELECT w.id, ${id('app', 'w.number * 1000 + n')}, 'A' || n, sha256(n::text::bytea) FROM ${n(apps)}`,
    `INSERT INTO redirect_uris (workspace_id, app_id, uri)
      SELECT w.id, ${id('app', 'w.number * 1000 + n')}, 'https://' || m || '.example' FROM ${n(apps)}, generate_series(1, 2) m`,
    `INSERT INTO installations (workspace_id, app_id, app_workspace_id, user_id, scopes)
      SELECT w.id, ${id('app', 'w.number * 1000 + n')}, w.id, ${id('usr', `${persons} + n`)}, '{groups:read}' FROM ${n(apps)}`,
    `INSERT INTO access_tokens (workspace_id, token_hash, app_id, scopes, expires_at)
      SELECT w.id, sha256((w.id || n || 'token' || m)::bytea), ${id('app', 'w.number * 1000 + n')}, '{groups:read}', now() + interval '1 hour'
      FROM ${n(apps)}, generate_series(1, 10) m`,
    `INSERT INTO webhooks (workspace_id, id, user_id, name, key_hash)
      SELECT w.id, ${id('wbh', 'w.number * 1000 + n')}, ${id('usr', `${persons + apps} + n`)}, 'H' || n, sha256(n::text::bytea) FROM ${n(webhooks)}`,
  ]
}

/** Returns the IDs of fifty rows that the app of the big world can see. */
async function visibleIDs(table: string): Promise<string[]> {
  const { workspaceID, operator, hotThreadID } = big
  const conditions: Record<string, string> = {
    users: "kind = 'person' AND deleted_at IS NULL",
    groups: 'NOT is_private',
    threads:
      "id IN (SELECT thread_id FROM recipients r WHERE r.workspace_id = threads.workspace_id AND group_id = 'grp_' || substr(threads.workspace_id, 5))",
    messages: `thread_id = '${hotThreadID}'`,
    files: `id IN (SELECT file_id FROM attachments a JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id
      WHERE m.thread_id = '${hotThreadID}')`,
  }
  const rows = await operator.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM ${table} WHERE workspace_id = '${workspaceID}' AND ${conditions[table]} ORDER BY id LIMIT 50`,
  )
  expect(rows).toHaveLength(50)
  return rows.map(({ id }) => id)
}

/**
 * Expects as many statements for 50 objects as for 10. The numbers can differ by 2, because lookups of two levels are
 * sometimes batched into one statement.
 */
async function expectSameNumber(ask: (parents: number) => Promise<unknown>): Promise<void> {
  // The first call fills caches that last for a minute, such as how common a word is.
  await ask(10)
  const few = await statementsOf(() => ask(10))
  const many = await statementsOf(() => ask(50))
  expect(Math.abs(many.length - few.length), many.map(({ sql }) => sql.slice(0, 90)).join('\n')).toBeLessThan(
    3,
  )
}

const statementsByOperation = new Map<string, Promise<Statement[][]>>()

/** Returns the statements of an operation in the big and in the small world. Runs the operation once in each world. */
function statementsIn(name: string): Promise<Statement[][]> {
  const run = async () => [
    await statementsOf(() => operations[name]?.(big)),
    await statementsOf(() => operations[name]?.(small)),
  ]
  const statements = statementsByOperation.get(name) ?? run()
  statementsByOperation.set(name, statements)
  return statements
}

/** Returns the statements that were sent during `run`, without those of the heartbeats. */
async function statementsOf(run: () => unknown): Promise<Statement[]> {
  recorded.length = 0
  await run()
  return recorded.filter(
    ({ sql }) => /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(sql) && !heartbeats.includes(sql),
  )
}

type Scan = { table: string; by: string; sql: string; args: unknown[] }

/** Finds plan nodes that read a whole table, or an index without a condition on its keys. */
async function scansOf(statements: Statement[]): Promise<Scan[]> {
  const scans: Scan[] = []
  for (const statement of statements) {
    for (const node of nodesOf(await explain(statement))) {
      const { 'Node Type': by, 'Relation Name': table, 'Index Cond': inIndex, 'TID Cond': ofRows } = node
      const condition = inIndex ?? ofRows
      if (!/Scan$/.test(by) || table === undefined || by === 'Bitmap Heap Scan' || condition !== undefined)
        continue
      if (!isIntended(node, statement)) scans.push({ table, by, sql: statement.sql, args: statement.args })
    }
  }
  return scans
}

/** Returns whether a statement must read a whole table, or a page of an index from one of its ends. */
function isIntended(
  { 'Relation Name': table = '', 'Index Name': index = '' }: Plan,
  { sql }: Statement,
): boolean {
  if (table.startsWith('pg_')) return true
  // The operator can list all workspaces, accounts and entries of the audit log, and reads a page of the index by creation time.
  if (['workspaces_created', 'accounts_by_creation', 'audit_entries_of_service'].includes(index)) return true
  // The operator lists all operator tokens.
  if (table === 'operator_tokens') return sql.includes('ORDER BY o.created_at')
  // The operator rarely erases a person, and then the whole log is read.
  if (table === 'audit_entries') return sql.includes('UPDATE audit_entries')
  // Each pass deletes the notes that it reads. Therefore this table is small, whatever the size of the log.
  if (table === 'event_notes') return sql.includes('DELETE FROM event_notes')
  // It has at most 50 rows for each webhook, and the sweep reads all of it.
  if (table === 'webhook_calls') return sql.includes('LIMIT 1000 FOR UPDATE SKIP LOCKED')
  // The sweep reads a page of the oldest batches. A process that starts reads the latest batch.
  if (index === 'event_batches_number') return /ORDER BY number( DESC)? LIMIT/.test(sql)
  // A process that starts looks for workspaces whose log is not indexed. 'the indexing of messages' checks that this
  // happens once.
  return ['event_heads', 'search_progress'].includes(table) && sql.includes(unindexedWorkspaces)
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** Returns the rows of a query of the test itself, which is not recorded. */
async function rowsOfQuery(sql: string): Promise<Record<string, unknown>[]> {
  return (await runScript(sql)).flatMap(({ rows }) => rows)
}

type Query = (sql: unknown, values?: unknown[], ...rest: unknown[]) => unknown
type Script = (script: string) => Promise<{ rows: Record<string, unknown>[] }[]>

/** Records the statements that are sent to a database of either kind, in transactions and outside. */
function recordStatements(): void {
  const client = pg.Client.prototype as unknown as { query: Query }
  const { query } = client
  client.query = function (this: pg.Client, sql, ...rest) {
    record(sql, rest[0])
    // The connections of the heartbeats do not have the settings for query plans.
    if (!heartbeats.includes(sql))
      runScript = async (script) => [await query.call(this, script)].flat() as Awaited<ReturnType<Script>>
    return query.call(this, sql, ...rest)
  }
}

function record(query: unknown, values: unknown): void {
  const { text, values: own } = (typeof query === 'string' ? { text: query } : query) as {
    text: string
    values?: unknown[]
  }
  recorded.push({ sql: text, args: own ?? (Array.isArray(values) ? values : []) })
}

/** Returns the generic plan of a statement. This plan does not depend on the values. */
async function explain({ sql, args }: Statement): Promise<Plan> {
  const nulls = args.length === 0 ? '' : `(${args.map(() => 'NULL').join(', ')})`
  const results = await runScript(
    `PREPARE explained AS ${sql}; EXPLAIN (FORMAT JSON) EXECUTE explained${nulls}; DEALLOCATE explained`,
  )
  const plan = results.flatMap(({ rows }) => rows).find((row) => 'QUERY PLAN' in row)?.['QUERY PLAN']
  return (typeof plan === 'string' ? JSON.parse(plan) : plan)[0].Plan
}
