import { describe, expect, test } from 'vitest'
import { uninstallApp } from '../../../src/apps/installations/uninstall-app.ts'
import { revokeAccessTokens } from '../../../src/apps/tokens/revoke-access-tokens.ts'
import { inTransaction } from '../../../src/database/database.ts'
import { sweepEvents } from '../../../src/events/sweep-events.ts'
import { addMembers } from '../../../src/groups/members/add-members.ts'
import { removeMembers } from '../../../src/groups/members/remove-members.ts'
import { removeRecipients } from '../../../src/messages/thread-changes/change-recipients.ts'
import { deletePerson } from '../../../src/workspaces/users/delete-user.ts'
import { makeApp, makeWorld, say, type World } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { mutation } from '../../support/mutations.ts'
import { operatorToken } from '../../support/service.ts'
import { signedIn } from '../../support/signed-in.ts'
import {
  latestCursor,
  received,
  subscribe,
  textsOf,
  threadDocument,
  transports,
} from '../../support/subscribers.ts'

const service = await startLiveService()
const { url } = service

const speak = ({ as, ada, publicGroup }: World, text: string) => say(as(ada.id), [publicGroup.id], text, 'S')

describe.concurrent.each(transports)('a subscription over %s ends', (transport) => {
  /** How a stream ends for its client when the credentials have ended. */
  const unauthenticated = transport === 'SSE' ? { codes: ['UNAUTHENTICATED'] } : { codes: [], closed: 4403 }

  const follow = (token: string, variables: object = {}, query?: string) =>
    subscribe(url, transport, { token, variables, ...(query && { query }) })

  test('when its token is revoked, and delivers nothing after that', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, app } = world
    const stream = follow(app.token, {
      after: await latestCursor(service, app.token),
      types: ['messageCreated'],
    })
    await speak(world, 'before')
    await received(stream, 1)
    await revokeAccessTokens(operator, { workspaceID, appID: app.id })
    await speak(world, 'after')
    expect(await stream.ended).toEqual(unauthenticated)
    expect(textsOf(stream)).toEqual(['before'])
  })

  test('when its app is uninstalled, after it has delivered the event that says so', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, app } = world
    const stream = follow(app.token, { after: await latestCursor(service, app.token) })
    await speak(world, 'before')
    await received(stream, 2)
    // The events of the message come first in the log. When the stream reads them, the token is already invalid.
    await inTransaction(operator.db, async (db) => {
      await say({ ...world.as(world.ada.id), db }, [world.publicGroup.id], 'unheard', 'S')
      await uninstallApp({ ...operator, db }, { workspaceID, appID: app.id })
    })
    await speak(world, 'after')
    expect(await stream.ended).toEqual(unauthenticated)
    expect(stream.events.at(-1)).toMatchObject({ type: 'appUninstalled', objectID: app.id })
    expect(stream.events.map(({ type }) => type)).not.toContain('userDeactivated')
    expect(textsOf(stream).filter(Boolean)).toEqual(['before'])
  })

  test('with the error for an invalid token if the app is uninstalled, although the thread is then hidden too', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, app } = world
    const { thread } = await speak(world, 'one')
    const stream = follow(
      app.token,
      { threadID: thread.id, after: await latestCursor(service, app.token) },
      threadDocument,
    )
    await say(world.as(world.ada.id), thread.id, 'two')
    await received(stream, 1)
    await uninstallApp(operator, { workspaceID, appID: app.id })
    await say(world.as(world.ada.id), thread.id, 'three')
    expect(await stream.ended).toEqual(unauthenticated)
    expect(textsOf(stream)).toEqual(['two'])
  })

  test('when its person is deleted', async () => {
    const world = await makeWorld(service)
    const { operator } = world
    const person = await signedIn(service, world, 'member')
    const { data } = await person.ask(mutation('createPersonalAccessToken', 'accessToken'), {
      input: { name: 'bot', scopes: ['threads.messages:read'], expiresInDays: 1 },
    })
    const { accessToken } = data.createPersonalAccessToken
    const stream = follow(accessToken, { after: await latestCursor(service, accessToken) })
    await speak(world, 'before')
    await received(stream, 1)
    await deletePerson(operator, { userID: person.id })
    await speak(world, 'after')
    expect(await stream.ended).toEqual(unauthenticated)
    expect(textsOf(stream)).toEqual(['before'])
  })

  test('when its caller is removed from the thread, after it has delivered the event that says so', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, app } = world
    const { thread } = await say(as(ada.id), [grace.id, app.userID], 'hello', 'S')
    const stream = follow(
      app.token,
      { threadID: thread.id, after: await latestCursor(service, app.token) },
      threadDocument,
    )
    await say(as(ada.id), thread.id, 'heard')
    await received(stream, 1)
    await removeRecipients(as(ada.id), { threadID: thread.id, recipientIDs: [app.userID] })
    await say(as(ada.id), thread.id, 'unheard')
    expect(await stream.ended).toEqual({ codes: ['NOT_FOUND'] })
    expect(stream.events).toMatchObject([
      { type: 'messageCreated', message: { text: 'heard' } },
      { type: 'recipientsRemoved', recipientIDs: [app.userID], message: null },
    ])
  })

  test('when its caller is removed from the group of the thread', async () => {
    const world = await makeWorld(service)
    const { as, ada, app, operator, privateGroup } = world
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    const { thread } = await say(as(ada.id), [privateGroup.id], 'hello', 'S')
    const variables = { threadID: thread.id, after: await latestCursor(service, app.token) }
    const stream = follow(app.token, variables, threadDocument)
    await say(as(ada.id), thread.id, 'heard')
    await received(stream, 1)
    await removeMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    await say(as(ada.id), thread.id, 'unheard')
    expect(await stream.ended).toEqual({ codes: ['NOT_FOUND'] })
    expect(textsOf(stream)).toEqual(['heard'])
  })

  test('if a scope is missing', async () => {
    const { operator, workspaceID } = await makeWorld(service)
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    expect(await follow(reader.token, { types: ['messageCreated'] }).ended).toEqual({
      codes: ['INSUFFICIENT_SCOPE'],
    })
  })

  test('if its cursor has expired, or is not a cursor', async () => {
    const world = await makeWorld(service)
    const { app, operator, workspaceID } = world
    const first = await latestCursor(service, app.token)
    await speak(world, 'old')
    await latestCursor(service, app.token)
    const { db } = operator
    await db.$executeRaw`UPDATE event_batches SET created_at = now() - interval '8 days' WHERE workspace_id = ${workspaceID}`
    await sweepEvents(db, 7)
    expect(await follow(app.token, { after: first }).ended).toEqual({ codes: ['CURSOR_EXPIRED'] })
    expect(await follow(app.token, { after: 'x' }).ended).toEqual({ codes: ['INVALID_INPUT'] })
  })

  test('if the operator opens it, because the operator cannot read conversations', async () => {
    expect(await follow(operatorToken).ended).toEqual({ codes: ['FORBIDDEN'] })
  })

  test('if its token is unknown', async () => {
    const refused = transport === 'SSE' ? { codes: [], status: 401 } : { codes: [], closed: 4403 }
    expect(await follow('0'.repeat(64)).ended).toEqual(refused)
  })

  test.each([
    ['does not parse', 'subscription { events {', 'GRAPHQL_PARSE_FAILED'],
    ['does not match the schema', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['has two fields', 'subscription { events { id } b: events { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['has a required variable without a value', threadDocument, 'INVALID_INPUT'],
  ])('if its document %s', async (_what, query, code) => {
    const { app } = await makeWorld(service)
    expect(await follow(app.token, {}, query).ended).toEqual({ codes: [code] })
  })
})
