import { describe, expect, test } from 'vitest'
import { type Reason, reasons, toAppError } from '../../src/errors.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { readStarter } from '../../src/starter/read-starter.ts'
import { signIn } from '../support/browser-session.ts'
import { makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'
import { announce } from '../support/uploads.ts'

const service = await startService()
const ofServer = await startService({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })

const ofProvider = await startService({
  SIGN_IN_METHODS: 'oidc',
  OIDC_ISSUER: 'http://127.0.0.1:1',
  OIDC_CLIENT_ID: 'skein',
})

const change = (token: string, name: string, input: object, selection = '__typename') =>
  mutate(service, token, name, input, selection)

/** Creates a thread of Ada in the public group. The app sees it, but did not start it. */
async function threadOf({ as, ada, publicGroup }: World, states: object = {}): Promise<string> {
  const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'Subject')
  await updateThread(as(ada.id), { threadID: thread.id, ...states })
  return thread.id
}

/** Presses a button with each key, as a new member. Returns the last answer. */
async function press(world: World, keys: string[], buttonID = 'go'): Promise<GraphQLAnswer> {
  const { app, publicGroup } = world
  const message = { text: 'x', buttons: [{ id: 'go', label: 'Go' }] }
  const input = { thread: { recipients: [publicGroup.id] }, message }
  const sent = await mutated(service, app.token, 'sendMessage', input, 'message { id }')
  const { ask } = await signedIn(service, world, 'member')
  const answers: GraphQLAnswer[] = []
  for (const clientKey of keys) {
    const input = { messageID: sent.message.id, buttonID, buttonsRevision: 0, clientKey }
    answers.push(await ask(mutation('pressMessageButton', '__typename'), { input }))
  }
  return answers.at(-1) as GraphQLAnswer
}

/** Sends the last call of a webhook again. */
async function resend(ask: Ask, webhookID: string): Promise<GraphQLAnswer> {
  await service.app.webhookCalls.flush()
  const { data } = await ask(`{ node(id: "${webhookID}") { ... on Webhook { calls { id } } } }`)
  const input = { webhookCallID: data.node.calls[0].id }
  return ask(mutation('resendWebhookCall', '__typename'), { input })
}

/** For each reason: a request that is refused for it, the code of the error, and the field that the error names. */
const cases: Partial<
  Record<Reason, [run: (world: World) => Promise<GraphQLAnswer>, code: string, field?: string]>
> = {
  already_joined: [
    async ({ workspaceID, operator, ada }) => {
      const email = 'ada@example.com'
      await operator.db.user.updateMany({ where: { id: ada.id }, data: { email } })
      await signIn(service, operator, email)
      return change(operatorToken, 'inviteUser', { workspaceID, email })
    },
    'CONFLICT',
    'email',
  ],
  body_not_stored: [
    async (world) => {
      const { webhook, publicGroup } = world
      const { ask } = await signedIn(service, world, 'admin')
      await postToWebhook(service, `${webhook.path}?target=${publicGroup.id}`, 'x'.repeat(300_000))
      return resend(ask, webhook.id)
    },
    'CONFLICT',
    'webhookCallID',
  ],
  already_pressed: [(world) => press(world, ['one', 'two']), 'CONFLICT', 'buttonID'],
  button_gone: [(world) => press(world, ['one'], 'stop'), 'CONFLICT', 'buttonID'],
  custom_apps_disabled: [
    async ({ workspaceID }) => {
      await change(operatorToken, 'updateWorkspace', { workspaceID, customAppsEnabled: false })
      const input = { workspaceID, name: 'Bot', redirectURIs: ['https://bot.example/callback'] }
      return change(operatorToken, 'createApp', input)
    },
    'CONFLICT',
    'workspaceID',
  ],
  deactivated: [
    async ({ workspaceID, ada }) => {
      const email = 'gone@example.com'
      await mutated(service, operatorToken, 'updateUser', { userID: ada.id, email }, 'user { id }')
      await mutated(service, operatorToken, 'deleteUser', { userID: ada.id }, 'user { id }')
      return change(operatorToken, 'inviteUser', { workspaceID, email })
    },
    'CONFLICT',
    'email',
  ],
  email_taken: [
    async ({ workspaceID, ada }) => {
      const email = 'taken@example.com'
      await mutated(service, operatorToken, 'updateUser', { userID: ada.id, email }, 'user { id }')
      return change(operatorToken, 'createUser', { workspaceID, name: 'Other', email })
    },
    'CONFLICT',
    'email',
  ],
  encryption_key_missing: [
    async () => {
      // Processes that share a server need a configured key.
      const { app } = await makeWorld(ofServer)
      const input = { appID: app.id, url: 'https://receiver.example.com' }
      return mutate(ofServer, operatorToken, 'createEventEndpoint', input, '__typename')
    },
    'CONFLICT',
  ],
  endpoint_limit: [
    async ({ app }) => {
      const input = { appID: app.id, url: 'https://receiver.example.com' }
      const create = () => change(operatorToken, 'createEventEndpoint', input)
      for (let count = 0; count < 10; count += 1) expect((await create()).errors).toBeUndefined()
      return create()
    },
    'CONFLICT',
  ],
  general_group: [
    ({ app, generalGroupID }) => change(app.token, 'leaveGroup', { groupID: generalGroupID }),
    'CONFLICT',
    'groupID',
  ],
  last_recipient: [
    async ({ app, as, ada }) => {
      const { thread } = await say(as(app.userID), [app.userID, ada.id], 'x', 'Subject')
      const input = { threadID: thread.id, recipientIDs: [app.userID, ada.id] }
      return change(app.token, 'removeRecipients', input)
    },
    'CONFLICT',
    'recipientIDs',
  ],
  mail_server_missing: [({ ada }) => change(operatorToken, 'mailSignInLink', { userID: ada.id }), 'CONFLICT'],
  message_deleted: [
    async ({ app, publicGroup }) => {
      const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'x' } }
      const { message } = await mutated(service, app.token, 'sendMessage', input, 'message { id }')
      await change(app.token, 'deleteMessage', { messageID: message.id })
      return change(app.token, 'editMessage', { messageID: message.id, text: 'y' })
    },
    'CONFLICT',
    'messageID',
  ],
  name_taken: [({ app }) => change(app.token, 'createGroup', { name: 'builds' }), 'CONFLICT', 'name'],
  not_a_member: [
    ({ privateGroup, grace }) => {
      const input = { groupID: privateGroup.id, userID: grace.id, role: 'admin' }
      return change(operatorToken, 'updateMember', input)
    },
    'CONFLICT',
    'userID',
  ],
  only_admin: [
    async ({ app }) => {
      const { group } = await mutated(service, app.token, 'createGroup', { name: 'Crew' }, 'group { id }')
      return change(app.token, 'updateMember', { groupID: group.id, userID: app.userID, role: 'member' })
    },
    'CONFLICT',
    'role',
  ],
  persistent_chat: [
    async ({ app, as, publicGroup }) => {
      const { thread } = await say(as(app.userID), [publicGroup.id], 'x')
      return change(app.token, 'updateThread', { threadID: thread.id, closed: true })
    },
    'CONFLICT',
    'threadID',
  ],
  pin_limit: [
    async (world) => {
      const { operator, workspaceID, publicGroup } = world
      const { id, ask } = await signedIn(service, world, 'member')
      await operator.db.$executeRawUnsafe(
        `WITH g AS (
          INSERT INTO groups (workspace_id, id, name)
          SELECT $1, 'grp_' || lpad(n::text, 27, '0'), 'Pinned ' || n FROM generate_series(1, 100) AS n RETURNING id
        ) INSERT INTO pins (workspace_id, user_id, group_id, place) SELECT $1, $2, id, row_number() OVER () FROM g`,
        workspaceID,
        id,
      )
      return ask(mutation('pinGroup', '__typename'), { input: { groupID: publicGroup.id } })
    },
    'CONFLICT',
  ],
  recipients_locked: [
    async (world) => {
      const threadID = await threadOf(world, { recipientsLocked: true })
      return change(world.app.token, 'addRecipients', { threadID, recipientIDs: [world.grace.id] })
    },
    'FORBIDDEN',
  ],
  replies_off: [
    async (world) => {
      const threadID = await threadOf(world, { repliesOff: true })
      return change(world.app.token, 'sendMessage', { threadID, message: { text: 'x' } })
    },
    'FORBIDDEN',
  ],
  sign_in_method_off: [
    () => mutate(ofProvider, operatorToken, 'createSignInLink', { email: 'ada@example.com' }, 'url'),
    'CONFLICT',
  ],
  sign_in_too_old: [
    async (world) => {
      const { ask } = await signedIn(service, world, 'member')
      await world.operator.db.$executeRaw`UPDATE sessions SET created_at = created_at - interval '1 day'`
      const input = { name: 'T', scopes: ['workspaces:read'], expiresInDays: 1 }
      return ask(mutation('createPersonalAccessToken', '__typename'), { input })
    },
    'FORBIDDEN',
  ],
  starter_exists: [
    async () => {
      const document = 'mutation { createStarterWorkspace { path } }'
      await service.graphql(operatorToken, document)
      return service.graphql(operatorToken, document)
    },
    'CONFLICT',
  ],
  starter_in_use: [
    async () => {
      const create = 'mutation { createStarterWorkspace { workspace { id } } }'
      await service.graphql(operatorToken, create)
      const { workspaceID } = (await readStarter(service.dataDir)) ?? {}
      await mutated(service, operatorToken, 'createUser', { workspaceID, name: 'Eve' }, '__typename')
      return change(operatorToken, 'removeStarterWorkspace', {})
    },
    'CONFLICT',
  ],
  system_message: [
    async (world) => {
      const { app, operator, workspaceID, publicGroup } = world
      const threadID = await threadOf(world)
      await giveRole(operator, { workspaceID, groupID: publicGroup.id, userID: app.userID, role: 'admin' })
      const input = { threadID, closed: true }
      const told = await mutated(service, app.token, 'updateThread', input, 'messageEdges { node { id } }')
      return change(app.token, 'deleteMessage', { messageID: told.messageEdges[0].node.id })
    },
    'CONFLICT',
    'messageID',
  ],
  ticket_not_filled: [
    async ({ app }) => {
      const { data } = await announce(service, app.token, 'bytes of a ticket')
      return change(app.token, 'createFile', { uploadTicketID: data.uploadTicket.id })
    },
    'CONFLICT',
    'uploadTicketID',
  ],
  token_limit: [
    async (world) => {
      const { ask } = await signedIn(service, world, 'member')
      const input = { name: 'Token', scopes: ['threads:read'], expiresInDays: 1 }
      const create = () => ask(mutation('createPersonalAccessToken', 'accessToken'), { input })
      for (let count = 0; count < 50; count += 1) expect((await create()).errors).toBeUndefined()
      return create()
    },
    'CONFLICT',
  ],
  user_kind: [({ app }) => change(operatorToken, 'deleteUser', { userID: app.userID }), 'CONFLICT', 'userID'],
  webhook_inactive: [
    async (world) => {
      const { webhook, publicGroup } = world
      const { ask } = await signedIn(service, world, 'admin')
      await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'x' })
      await service.app.webhookCalls.flush()
      await change(operatorToken, 'disableWebhook', { webhookID: webhook.id })
      return resend(ask, webhook.id)
    },
    'CONFLICT',
    'webhookCallID',
  ],
}

describe('a request is refused with the reason', () => {
  test.each(Object.entries(cases))('%s', async (reason, [run, code, field]) => {
    const { errors = [] } = await run(await makeWorld(service))
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      {
        code,
        reason: reason.toUpperCase(),
        requestID: expect.any(String),
        ...(field && { errors: [{ field, message: expect.any(String) }] }),
      },
    ])
  })

  test('concurrent_change if two requests create the same row', () => {
    const details = { code: 'P2002', clientVersion: 'x' }
    const failure = toAppError(new Prisma.PrismaClientKnownRequestError('x', details))
    expect(failure).toMatchObject({ code: 'conflict', reason: 'concurrent_change' })
  })
})

test('this file tests every reason in the list except ticket_used', () => {
  const tried = [...Object.keys(cases), 'concurrent_change', 'ticket_used'].sort()
  expect(tried).toEqual([...reasons])
})
