import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildASTSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { auditedMutations } from '../../src/audit/actions.ts'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { signIn } from '../support/browser-session.ts'
import { makeClient, makeConsenter, tokensFrom } from '../support/consent.ts'
import { makeWorld, redirectURI } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutation } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

/** The mutations that leave no entry of their own, each with the reason. */
const unaudited: Record<string, string> = {
  ...reason('It changes messages, or only what one person sees as read.', [
    ...['sendMessage', 'editMessage', 'deleteMessage', 'resendWebhookCall', 'addReaction', 'removeReaction'],
    'pressMessageButton',
    ...['markRead', 'markUnread', 'markAllRead', 'undoMarkAllRead'],
  ]),
  ...reason('An event line in the thread says who changed it.', [
    ...['updateThread', 'addRecipients', 'removeRecipients'],
  ]),
  ...reason('It is a private setting of one person.', [
    ...['followThread', 'unfollowThread', 'muteThread', 'unmuteThread', 'muteGroup', 'unmuteGroup'],
    ...['pinGroup', 'unpinGroup', 'pinThread', 'unpinThread', 'orderPins'],
  ]),
  ...reason('It uploads a file for a message or a picture. Setting the picture leaves an entry.', [
    ...['uploadTicket', 'createFile'],
  ]),
  ...reason('It changes nothing. It sends one request to the endpoint.', ['sendTestEvent']),
  ...reason('It leaves an entry inviteUser for each person.', ['inviteUsers']),
  ...reason('It leaves the entries of the mutations that it consists of.', ['createStarterWorkspace']),
}

function reason(text: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, text]))
}

const mails = await startMailServer()
const service = await startService({ SMTP_URL: mails.url, MAIL_FROM: 'skein@example.com' })
const { operator } = await makeWorld(service)
const { db } = operator
const asOperator: Ask = (query, variables) => service.graphql(operatorToken, query, variables)
const schema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {})

const entries = () => db.auditEntry.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
const secrets: string[] = []
const left = new Map<string, string[]>()

/** Runs a mutation, and stores which actions it has recorded. Returns its payload. */
async function run(ask: Ask, name: string, input: object | undefined, selection: string) {
  const before = new Set((await entries()).map(({ id }) => id))
  const document = input ? mutation(name, selection) : `mutation { ${name} { ${selection} } }`
  const answer = await ask(document, { input })
  expect([name, answer.errors]).toEqual([name, undefined])
  const added = (await entries()).filter(({ id }) => !before.has(id))
  left.set(
    name,
    added.map(({ action }) => action),
  )
  secrets.push(...secretsIn(answer.data[name]))
  return answer.data[name]
}

/** Returns the texts of a payload that nobody else may know. */
function secretsIn(payload: object): string[] {
  return Object.entries(payload).flatMap(([key, value]) => {
    if (typeof value !== 'string') return value && typeof value === 'object' ? secretsIn(value) : []
    if (/secret|token$/i.test(key)) return [value]
    return /url$/i.test(key) ? [value.split('/').at(-1) ?? ''] : []
  })
}

const operate = (name: string, input: object | undefined, selection: string) =>
  run(asOperator, name, input, selection)

async function changePeople(workspaceID: string): Promise<void> {
  const { user } = await operate(
    'createUser',
    { workspaceID, name: 'U', email: 'u@example.com' },
    'user { id }',
  )
  const userID = user.id
  await operate('updateUser', { userID, name: 'V' }, '__typename')
  await operate('mailSignInLink', { userID }, '__typename')
  await operate('endUserSessions', { userID }, '__typename')
  await operate('deleteUser', { userID }, '__typename')
  await operate('restoreUser', { userID }, '__typename')
  await operate('createSignInLink', { email: 'u@example.com' }, 'url')
  const invited = await operate(
    'inviteUser',
    { workspaceID, email: 'i@example.com' },
    'user { id } invitationURL',
  )
  await operate('revokeInvitation', { userID: invited.user.id }, '__typename')
  const people = [{ email: 'j@example.com' }, { email: 'k@example.com' }]
  await operate('inviteUsers', { workspaceID, people }, 'results { invitationURL }')
}

async function changeGroups(workspaceID: string, userIDs: string[], member: Ask): Promise<void> {
  const { group } = await operate('createGroup', { workspaceID, name: 'G' }, 'group { id }')
  const of = { groupID: group.id }
  await operate('updateGroup', { ...of, name: 'H' }, '__typename')
  await operate('addMembers', { ...of, userIDs }, '__typename')
  await operate('updateMember', { ...of, userID: userIDs[0], role: 'admin' }, '__typename')
  await operate('removeMembers', { ...of, userIDs }, '__typename')
  await run(member, 'joinGroup', of, '__typename')
  await run(member, 'muteGroup', of, '__typename')
  await run(member, 'unmuteGroup', of, '__typename')
  await run(member, 'leaveGroup', of, '__typename')
}

async function changePrograms(workspaceID: string): Promise<void> {
  const input = { workspaceID, name: 'A', redirectURIs: [redirectURI] }
  const { app } = await operate('createApp', input, 'app { id } clientSecret')
  const of = { workspaceID, appID: app.id }
  await operate('updateApp', { appID: app.id, name: 'B' }, '__typename')
  await operate('rotateClientSecret', { appID: app.id }, 'clientSecret')
  await operate('revokeAccessTokens', of, '__typename')
  await operate('uninstallApp', of, '__typename')
  await operate('installApp', of, '__typename')
  const created = await operate('createWebhook', { workspaceID, name: 'W' }, 'webhook { id } url')
  const webhook = { webhookID: created.webhook.id }
  await operate('updateWebhook', { ...webhook, name: 'X' }, '__typename')
  await operate('rotateWebhookKey', { ...webhook, overlapHours: 1 }, 'url')
  await operate('endPreviousWebhookKey', webhook, '__typename')
  await operate('disableWebhook', webhook, '__typename')
  await operate('enableWebhook', webhook, '__typename')
  await changeEndpoint(app.id)
  await operate('deleteWebhook', webhook, '__typename')
  await operate('deleteApp', { appID: app.id }, '__typename')
}

async function changeEndpoint(appID: string): Promise<void> {
  const input = { appID, url: 'https://events.example.com/hook' }
  const { eventEndpoint } = await operate('createEventEndpoint', input, 'eventEndpoint { id } secret')
  const of = { endpointID: eventEndpoint.id }
  await operate('updateEventEndpoint', { ...of, types: null }, '__typename')
  await operate('rotateEventEndpointSecret', of, 'secret')
  await operate('reencryptEventSecrets', undefined, '__typename')
  await operate('disableEventEndpoint', of, '__typename')
  const { delivery } = await operate('sendTestEvent', of, 'delivery { id }')
  await operate('replayDelivery', { deliveryID: delivery.id }, '__typename')
  await operate('skipDelivery', { deliveryID: delivery.id }, '__typename')
  await operate('replayDeliveries', { ...of, since: '2020-01-01T00:00:00Z' }, '__typename')
  await operate('enableEventEndpoint', of, '__typename')
  await operate('deleteEventEndpoint', of, '__typename')
}

async function changeCredentials(world: Awaited<ReturnType<typeof makeWorld>>): Promise<void> {
  const consenter = await makeConsenter(service, world)
  const tokens = await tokensFrom(service, consenter, await makeClient(world, { scopes: ['groups:read'] }), {
    act_as: 'user',
  })
  secrets.push(tokens.access_token, tokens.refresh_token)
  const { data } = await consenter.ask('{ viewer { grants { nodes { id } } } }')
  await run(consenter.ask, 'revokeGrant', { grantID: data.viewer.grants.nodes[0].id }, '__typename')
  const input = { name: 'T', scopes: ['groups:read'], expiresInDays: 1 }
  const made = await run(
    consenter.ask,
    'createPersonalAccessToken',
    input,
    'accessToken personalAccessToken { id }',
  )
  const personalAccessTokenID = made.personalAccessToken.id
  await run(consenter.ask, 'revokePersonalAccessToken', { personalAccessTokenID }, '__typename')
  secrets.push(sessionIn(await signIn(service, operator, consenter.email)))
  await run(consenter.ask, 'endOtherSessions', undefined, '__typename')
  const sessions = await consenter.ask('{ viewer { sessions { nodes { id } } } }')
  await run(
    consenter.ask,
    'endSession',
    { sessionID: sessions.data.viewer.sessions.nodes[0].id },
    '__typename',
  )
  await operate('endAccountSessions', { email: consenter.email }, '__typename')
  await operate('deactivateAccount', { email: consenter.email }, '__typename')
  await operate('reactivateAccount', { email: consenter.email }, '__typename')
  await operate('createOperatorToken', { name: 'Ops' }, 'token')
  await operate('revokeOperatorToken', { name: 'Ops' }, '__typename')
  await operate('eraseAuditNames', { ids: [consenter.id], email: consenter.email }, '__typename')
}

function sessionIn(cookie: string): string {
  return cookie.split('=').at(-1) ?? ''
}

test('every mutation leaves one entry with its name, or is on the list, and no entry contains a secret', async () => {
  expect([...auditedMutations, ...Object.keys(unaudited)].sort()).toEqual([...mutations].sort())
  const world = await makeWorld(service)
  const { workspaceID, ada, grace } = world
  const { id: _id, cookie, ask } = await signedIn(service, world, 'admin')
  secrets.push(sessionIn(cookie), operatorToken, world.webhook.path.split('/').at(-1) ?? '')
  await operate('createWorkspace', { name: 'W' }, '__typename')
  await operate('updateWorkspace', { workspaceID, name: 'V' }, '__typename')
  await changePeople(workspaceID)
  await changeGroups(workspaceID, [ada.id, grace.id], ask)
  await changePrograms(workspaceID)
  await changeCredentials(world)
  await rm(join(service.dataDir, 'starter.json'), { force: true })
  await operate('createStarterWorkspace', undefined, '__typename')
  const { welcome } = await operate('createWelcome', undefined, 'welcome')
  await operate('removeStarterWorkspace', {}, 'removedWorkspaceID')
  secrets.push(...[...welcome.matchAll(/(?:code=|link\/)(\S+)/g)].map(([, code]: string[]) => code ?? ''))
  secrets.push(...mails.mails.map(({ source }) => linkIn(source).split('/').at(-1) ?? ''))
  expect(Object.fromEntries(auditedMutations.map((name) => [name, left.get(name)]))).toEqual(
    Object.fromEntries(auditedMutations.map((name) => [name, [name]])),
  )
  expect(left.get('inviteUsers')).toEqual(['inviteUser', 'inviteUser'])
  for (const name of ['sendTestEvent', 'muteGroup', 'unmuteGroup'])
    expect([name, left.get(name)]).toEqual([name, []])
  const known = secrets.filter((secret) => secret.length > 8)
  expect(known.length).toBeGreaterThan(15)
  const text = JSON.stringify(await entries())
  expect(known.filter((secret) => text.includes(secret))).toEqual([])
})
