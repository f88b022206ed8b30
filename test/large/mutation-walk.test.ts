import {
  buildASTSchema,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { sendTestEvent } from '../../src/feeds/deliveries/send-test-event.ts'
import { createEventEndpoint } from '../../src/feeds/endpoints/create-endpoint.ts'
import { typeDefs } from '../../src/generated/type-defs.ts'
import { makeClient, makeConsenter, tokensFrom } from '../support/consent.ts'
import { makeWorld, say, uploadToWebhook, type World } from '../support/factories.ts'
import { readRows } from '../support/row-copies.ts'
import { sampleOf } from '../support/samples.ts'
import { startService } from '../support/service.ts'
import { type Ask, mutation, signedIn } from '../support/signed-in.ts'

const service = await startService()
const mutationType = buildASTSchema(parse(typeDefs.join('\n'))).getType('Mutation')
const mutations = isObjectType(mutationType)
  ? Object.values(mutationType.getFields()).filter(({ args }) => args.length > 0)
  : []

type Target = Awaited<ReturnType<typeof makeTarget>>

/** Creates a world, with an object for each argument of a mutation. */
async function makeTarget() {
  const world = await makeWorld(service)
  const { as, ada, privateGroup, app, webhook, workspaceID } = world
  const { thread, message } = await say(as(ada.id), [privateGroup.id], 'x', 'Quagga')
  const fileID: string = (await uploadToWebhook(service, webhook.path, 'bytes')).json().id
  const url = 'https://receiver.example.com'
  const { eventEndpoint } = await createEventEndpoint(world.operator, { appID: app.id, url })
  const { id: endpointID } = eventEndpoint
  const { id: deliveryID } = await sendTestEvent(world.operator, { endpointID })
  const person = await makeConsenter(service, world, 'member')
  await tokensFrom(service, person, await makeClient(world), { act_as: 'user' })
  const token = { name: 'T', scopes: ['groups:read'], expiresInDays: 1 }
  await person.ask(mutation('createPersonalAccessToken', 'accessToken'), { input: token })
  const { data } = await person.ask(`{ viewer {
    sessions { nodes { id } } grants { nodes { id } } personalAccessTokens { nodes { id } } } }`)
  const { sessions, grants, personalAccessTokens } = data.viewer
  const ids = {
    workspaceID,
    groupID: privateGroup.id,
    userID: ada.id,
    threadID: thread.id,
    messageID: message.id,
    appID: app.id,
    webhookID: webhook.id,
    fileID,
    endpointID,
    deliveryID,
    sessionID: sessions.nodes[0].id,
    grantID: grants.nodes[0].id,
    personalAccessTokenID: personalAccessTokens.nodes[0].id,
  }
  return { world, ids }
}

/** Valid values. An undefined field is not sent, because its value would be refused before the access is checked. */
const samples: Record<string, unknown> = {
  attachments: undefined,
  thread: undefined,
  emailDomain: undefined,
  scopes: 'groups:read',
  redirectURIs: 'https://example.com/callback',
  url: 'https://mallory.example.com',
  avatarURL: 'https://example.com/picture.png',
  email: 'mallory@example.com',
  emoji: '👍',
  contentLength: '3',
  contentMD5: Buffer.alloc(16).toString('base64'),
}

/** Returns an input with every field. Its IDs are the IDs of the target. */
function aimedAt(ids: Target['ids'], type: GraphQLInputType, name = ''): unknown {
  if (isNonNullType(type)) return aimedAt(ids, type.ofType, name)
  if (isListType(type) && name !== 'attachments') return [aimedAt(ids, type.ofType, name)]
  if (isInputObjectType(type) && name !== 'thread') {
    const fields = Object.values(type.getFields()).slice(0, type.isOneOf ? 1 : undefined)
    return Object.fromEntries(fields.map((field) => [field.name, aimedAt(ids, field.type, field.name)]))
  }
  if (name in samples) return samples[name]
  if (!isScalarType(type) || type.name !== 'ID') return sampleOf(type)
  const others = { recipientIDs: ids.userID, userIDs: ids.userID }
  const known: Record<string, string> = { ...ids, ...others }
  // `fromMessageID` takes the same IDs as `messageID`.
  const [suffix = ''] = /[A-Z][a-z]+ID$/.exec(name) ?? []
  return known[name] ?? known[suffix.charAt(0).toLowerCase() + suffix.slice(1)] ?? ids.fileID
}

/** Sends every mutation once for each of the workspaces, and returns the answers. */
async function attack(ask: Ask, ids: Target['ids'], workspaceIDs: string[]) {
  const answers: string[] = []
  for (const { name, args } of mutations) {
    const [arg] = args
    if (!arg) continue
    for (const workspaceID of workspaceIDs) {
      const input = aimedAt({ ...ids, workspaceID }, arg.type)
      const answer = await ask(`mutation ($input: ${arg.type}) { ${name}(input: $input) { __typename } }`, {
        input,
      })
      answers.push(JSON.stringify(answer))
    }
  }
  return answers
}

async function rowsOf({ operator, workspaceID }: World): Promise<Record<string, string[]>> {
  const { json } = await readRows(operator.db, workspaceID)
  const accounts = await operator.db.user.findMany({ where: { workspaceID }, select: { accountID: true } })
  const accountID = { in: accounts.flatMap(({ accountID }) => accountID ?? []) }
  // A session belongs to no workspace. Only its ID is read, because each request can change the time of its last use.
  const sessions = await operator.db.session.findMany({ where: { accountID }, select: { id: true } })
  const tables: [string, object[]][] = Object.entries({ ...JSON.parse(json), sessions })
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).sort()]),
  )
}

test('every mutation has an input whose IDs exist', () => {
  expect(mutations.length).toBeGreaterThan(30)
  const ids = {
    workspaceID: 'a',
    groupID: 'b',
    userID: 'c',
    threadID: 'd',
    messageID: 'e',
    appID: 'f',
    webhookID: 'g',
    fileID: 'h',
    endpointID: 'i',
    deliveryID: 'j',
    sessionID: 'k',
    grantID: 'l',
    personalAccessTokenID: 'm',
  }
  const input = JSON.stringify(mutations.map(({ args: [arg] }) => arg && aimedAt(ids, arg.type)))
  for (const id of Object.values(ids)) expect(input).toContain(`"${id}"`)
})

describe.each(['app', 'member', 'admin'] as const)('a stranger from another workspace, as %s,', (kind) => {
  test('changes nothing with any mutation', async () => {
    const [{ world, ids }, own] = [await makeTarget(), await makeWorld(service)]
    const { token } = own.app
    const ask: Ask =
      kind === 'app'
        ? (query, variables) => service.graphql(token, query, variables)
        : (await signedIn(service, own, kind)).ask
    const before = await rowsOf(world)
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'apps',
        'webhooks',
        'installations',
        'messages',
        'sessions',
        'grants',
        'personal_access_tokens',
      ]),
    )
    const answers = await attack(ask, ids, [world.workspaceID, own.workspaceID])
    expect(answers.join('\n')).not.toContain('Quagga')
    expect(await rowsOf(world)).toEqual(before)
    const [app] = await own.operator.db.installation.findMany({
      where: { workspaceID: own.workspaceID, appID: ids.appID },
    })
    expect(app).toBeUndefined()
  })
})

test('a member changes no app, webhook or person of their workspace, and nothing that belongs to another person', async () => {
  const { world, ids } = await makeTarget()
  const { ask } = await signedIn(service, world, 'member')
  const tables = [
    'sessions',
    'grants',
    'refresh_tokens',
    'apps',
    'redirect_uris',
    'installations',
    'access_tokens',
    'webhooks',
    'event_endpoints',
    'event_deliveries',
    'users',
    'workspaces',
  ]
  const chosen = async () => {
    const rows = await rowsOf(world)
    return tables.map((name) => rows[name])
  }
  const before = await chosen()
  const { personal_access_tokens: tokens = [] } = await rowsOf(world)
  await attack(ask, ids, [world.workspaceID])
  expect(await chosen()).toEqual(before)
  // The member has created another token for themselves.
  expect(tokens).toHaveLength(1)
  expect((await rowsOf(world)).personal_access_tokens).toEqual(expect.arrayContaining(tokens))
})
