import { describe, expect, test } from 'vitest'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { makeConsenter, tokensFrom } from '../support/consent.ts'
import { driveStatements } from '../support/driven-statements.ts'
import { makeApp, makeWorld, postToWebhook } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import type { Ask } from '../support/signed-in.ts'
import { writeMessage } from '../support/write-message.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { operator, workspaceID, publicGroup, webhook, app } = world
const deployBot = { ...(await makeApp(service, operator, workspaceID)), name: 'Robot' }
const person = await makeConsenter(service, world, 'admin')
const reader = await makeConsenter(service, world, 'member')
const scopes = ['threads:read', 'threads:write', 'threads.messages:read', 'threads.messages:write']

const asking =
  (token: string): Ask =>
  (query, variables) =>
    service.graphql(token, query, variables)

/** Creates a personal access token of a person. */
async function tokenOf({ ask }: { ask: Ask }, name = 'Deploy script') {
  const { data } = await ask(
    mutation('createPersonalAccessToken', 'accessToken personalAccessToken { id }'),
    { input: { name, scopes, expiresInDays: 1 } },
  )
  const { accessToken, personalAccessToken } = data.createPersonalAccessToken
  return { id: personalAccessToken.id as string, ask: asking(accessToken) }
}

const token = await tokenOf(person)
const asPerson = await tokensFrom(service, person, deployBot, {
  act_as: 'user',
  scope: scopes.join(' '),
})
const byApp = asking(app.token)
const byAppAsPerson = asking(asPerson.access_token)

const origin = 'origin { kind via isOwn appID webhookID }'
async function mutate(ask: Ask, name: string, input: object, selection: string) {
  const { data, errors } = await ask(mutation(name, selection), { input })
  expect(errors).toBeUndefined()
  return data[name]
}
const sent = `thread { id } created message { id user { id } ${origin} }`
const send = (ask: Ask, input: object) => mutate(ask, 'sendMessage', input, sent)
const write = (ask: Ask, threadID: string, message: object) => send(ask, { threadID, message })

/** Returns the origin of a message, as a caller reads it. */
async function originFor(ask: Ask, id: string) {
  const { data } = await ask(`query ($id: ID!) { node(id: $id) { ... on Message { ${origin} } } }`, { id })
  return data.node.origin
}

async function postTo(path: string, body: object) {
  const answer = await postToWebhook(service, path, body)
  expect(answer.statusCode).toBe(200)
  return answer.json() as { messageID: string; threadID: string }
}

const newThread = { recipients: [publicGroup.id], subject: 'Deploy 8' }
const none = { via: null, isOwn: false, appID: null, webhookID: null }
const doors = [
  { door: 'a browser session', ask: person.ask, expected: { ...none, kind: 'session' } },
  { door: 'a personal access token', ask: token.ask, expected: { ...none, kind: 'token' } },
  { door: 'an app', ask: byApp, expected: { ...none, kind: 'app', via: 'Robot', appID: app.id } },
  {
    door: 'an app that acts as a person',
    ask: byAppAsPerson,
    expected: { ...none, kind: 'app', via: 'Robot', appID: deployBot.id },
  },
]

describe.each(doors)('the origin of what $door writes says so to each reader:', ({ ask, expected }) => {
  test('a new thread, a message, a message with effects, and a message with a key', async () => {
    const { thread, message } = await send(ask, { thread: newThread, message: { text: 'first' } })
    const others = [{ text: 'x' }, { text: 'x', state: 'running' }, { text: 'x', uniqueBy: 'k' }]
    // One after the other, because a batch with a state is written by another statement.
    for (const one of others) {
      const later = await write(ask, thread.id, one)
      expect(await originFor(reader.ask, later.message.id)).toEqual(expected)
    }
    expect(await originFor(reader.ask, message.id)).toEqual(expected)
  })

  test('a system message', async () => {
    const { thread } = await send(ask, { thread: newThread, message: { text: 'first' } })
    const input = { threadID: thread.id, closed: true }
    const { messageEdges } = await mutate(ask, 'updateThread', input, 'messageEdges { node { id } }')
    expect(await originFor(reader.ask, messageEdges[0].node.id)).toEqual(expected)
  })
})

describe('the origin of what a webhook writes is the webhook:', () => {
  const expected = { ...none, kind: 'webhook', via: 'Alerts', webhookID: webhook.id }
  test.each([
    ['a message', '', { text: 'x', target: publicGroup.id }],
    ['a new thread', '', { text: 'x', target: publicGroup.id, threadSubject: 'S' }],
    ['a body of another system', `/slack?target=${publicGroup.id}`, { text: 'From Slack' }],
  ])('%s', async (_what, path, body) => {
    const answer = await postToWebhook(service, `${webhook.path}${path}`, body)
    expect(answer.statusCode).toBe(200)
    const text = 'text' in body ? body.text : ''
    const { data } = await reader.ask(
      `query ($id: ID!) { group(id: $id) { chat { lastMessage { text ${origin} } } } threads(last: 1, filter: { kind: thread }) { nodes { lastMessage { text ${origin} } } } }`,
      { id: publicGroup.id },
    )
    const last = 'threadSubject' in body ? data.threads.nodes[0].lastMessage : data.group.chat.lastMessage
    expect(last).toEqual({ text, origin: expected })
  })
})

describe('the origin stays', () => {
  test('when the same person changes the message with another program', async () => {
    const { thread, message } = await send(token.ask, { thread: newThread, message: { text: 'by a script' } })
    const before = await originFor(reader.ask, message.id)
    await mutate(person.ask, 'editMessage', { messageID: message.id, text: 'by hand' }, 'isStale')
    await mutate(byAppAsPerson, 'editMessage', { messageID: message.id, text: 'by an app' }, 'isStale')
    expect(await originFor(reader.ask, message.id)).toEqual(before)
    const keyed = await write(person.ask, thread.id, { text: 'by hand', uniqueBy: 'k' })
    for (const one of [{ text: 'new' }, { text: 'newer', state: 'ok' }])
      await write(token.ask, thread.id, { ...one, uniqueBy: 'k' })
    expect(await originFor(reader.ask, keyed.message.id)).toEqual({ ...none, kind: 'session' })
  })

  test('from the first of two calls with the same key that are written in one batch', async () => {
    const { thread } = await send(person.ask, { thread: newThread, message: { text: 'first' } })
    const rest = { authorID: person.id, webhook: undefined, mentionIDs: [], fileIDs: null }
    const place = { workspaceID, threadID: thread.id }
    const append = (uniqueBy: string, originID: string | null, text: string) =>
      writeMessage(operator.db, place, { ...rest, uniqueBy, originID, text })
    // The calls form one batch, because they are made in one turn of the event loop.
    const [byHand, , byScript] = await Promise.all([
      append('a', null, 'by hand'),
      append('a', token.id, 'by a script'),
      append('b', token.id, 'by a script'),
      append('b', null, 'by hand'),
    ])
    const kinds = [byHand, byScript].map(
      async ({ messageID }) => (await originFor(reader.ask, messageID)).kind,
    )
    expect(await Promise.all(kinds)).toEqual(['session', 'token'])
  })

  test('when the token is revoked, without its name', async () => {
    const short = await tokenOf(person, 'Short-lived')
    const { message } = await send(short.ask, { thread: newThread, message: { text: 'x' } })
    expect(await originFor(person.ask, message.id)).toMatchObject({ kind: 'token', via: 'Short-lived' })
    const input = { personalAccessTokenID: short.id }
    await mutate(person.ask, 'revokePersonalAccessToken', input, 'removedPersonalAccessTokenID')
    expect(await originFor(person.ask, message.id)).toEqual({ ...none, kind: 'token' })
  })

  test('when the app is uninstalled', async () => {
    const gone = { ...(await makeApp(service, operator, workspaceID)), name: 'Robot' }
    const { access_token } = await tokensFrom(service, person, gone, {
      act_as: 'user',
      scope: scopes.join(' '),
    })
    const { message } = await send(asking(access_token), { thread: newThread, message: { text: 'x' } })
    const before = await originFor(reader.ask, message.id)
    await uninstallApp(operator, { workspaceID, appID: gone.id })
    expect(await originFor(reader.ask, message.id)).toEqual(before)
    expect(before).toEqual({ ...none, kind: 'app', via: 'Robot', appID: gone.id })
  })
})

test('only the owner of a personal access token sees its name', async () => {
  const { message } = await send(token.ask, { thread: newThread, message: { text: 'x' } })
  const vias = [person.ask, token.ask, reader.ask, byApp, byAppAsPerson].map(async (ask) => {
    return (await originFor(ask, message.id)).via
  })
  expect(await Promise.all(vias)).toEqual(['Deploy script', 'Deploy script', null, null, 'Deploy script'])
})

test('an origin is the own one of the program or session that wrote the message', async () => {
  const second = await tokenOf(person, 'Another script')
  const appUser = asking(deployBot.token)
  const callers = [person.ask, token.ask, second.ask, byApp, byAppAsPerson, appUser, reader.ask]
  const { thread } = await send(person.ask, { thread: newThread, message: { text: 'first' } })
  const seen = callers.map(async (ask) => {
    const { message } = await write(ask, thread.id, { text: 'x' })
    const origins = await Promise.all(callers.map((each) => originFor(each, message.id)))
    return origins.map(({ isOwn }) => Number(isOwn)).join('')
  })
  // An app knows what it wrote as a person, and what it wrote as its own user.
  expect(await Promise.all(seen)).toEqual([
    '1000000',
    '0100000',
    '0010000',
    '0001000',
    '0000110',
    '0000110',
    '0000001',
  ])
})

test('a message of a webhook or an app is written by a statement without the origin', async () => {
  const statements: string[] = []
  driveStatements(operator.db, (driver) => (text, ...rest) => {
    if (text.includes('INSERT INTO messages')) statements.push(text)
    return driver(text, ...rest)
  })
  const { threadID } = await postTo(webhook.path, { text: 'x', target: publicGroup.id })
  await postTo(webhook.path, { text: 'x', target: publicGroup.id })
  await write(byApp, threadID, { text: 'x' })
  const named = () => statements.splice(0).filter((text) => text.includes('origin_id')).length
  expect([statements.length, named()]).toEqual([3, 0])
  await write(byAppAsPerson, threadID, { text: 'x' })
  expect([statements.length, named()]).toEqual([1, 1])
})

test('two programs that act as people, and answer only sessions, do not answer each other', async () => {
  const other = await tokenOf(reader, 'Another agent')
  const agents = [
    { key: 'a', ask: token.ask, seen: new Set<string>() },
    { key: 'b', ask: other.ask, seen: new Set<string>() },
    { key: 'c', ask: byAppAsPerson, seen: new Set<string>() },
  ]
  const { thread } = await send(person.ask, { thread: newThread, message: { text: 'Is it out?' } })
  const read = `query ($id: ID!) { thread(id: $id) { messages(first: 100) { nodes { id event { type } ${origin} } } } }`
  const messages = async (ask: Ask) => (await ask(read, { id: thread.id })).data.thread.messages.nodes
  for (let round = 1; round <= 4; round += 1) {
    for (const { key, ask, seen } of agents) {
      for (const { id, event, origin } of await messages(ask)) {
        const isNew = !seen.has(id)
        seen.add(id)
        if (isNew && event === null && origin.kind === 'session')
          await write(ask, thread.id, { text: 'I have read this.', uniqueBy: `${key} ${id}` })
      }
    }
  }
  const kinds = (await messages(person.ask)).map((one: { origin: { kind: string } }) => one.origin.kind)
  expect(kinds).toEqual(['session', 'token', 'token', 'app'])
})
