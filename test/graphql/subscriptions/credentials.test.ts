import { describe, expect, test } from 'vitest'
import { deletePerson } from '../../../src/workspaces/users/delete-user.ts'
import { graphqlAs, postForm, sameOrigin, signIn } from '../../support/browser-session.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { mutation } from '../../support/mutations.ts'
import { initialized, openWebSocket } from '../../support/raw-web-socket.ts'
import { signedIn } from '../../support/signed-in.ts'
import { eventsDocument } from '../../support/subscribers.ts'

const service = await startLiveService()
const { url } = service
const { origin } = new URL(service.config.baseURL)
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Sends connection parameters, and returns how the WebSocket was closed. */
async function refusalOf(params: unknown, headers: Record<string, string> = {}) {
  const raw = await openWebSocket(url, { headers })
  raw.send({ type: 'connection_init', payload: params })
  const { code, reason } = await raw.closed
  expect(raw.messages).toEqual([])
  return [code, reason]
}

async function post(headers: Record<string, string>, query = eventsDocument) {
  const accept = 'text/event-stream'
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ query }),
  })
  return answer
}

async function codeIn(answer: Response): Promise<string> {
  return JSON.parse(await answer.text()).errors[0].extensions.code
}

const world = await makeWorld(service)
const { app, workspaceID } = world

type Person = Awaited<ReturnType<typeof signedIn>>

describe('a WebSocket', () => {
  test('accepts a token in the connection parameters, and ignores the case of the parameter name', async () => {
    await initialized(url, { authorization: `bearer ${app.token}` })
  })

  test('accepts a token in the header of the handshake', async () => {
    await initialized(url, {}, { headers: bearer(app.token) })
  })

  test('prefers the token in the connection parameters to the token in the header', async () => {
    await initialized(url, bearer(app.token), { headers: bearer('0'.repeat(64)) })
  })

  test.each([
    ['no parameters', undefined],
    ['empty parameters', {}],
    ['a token that is not a text', { Authorization: { token: 'x' } }],
    ['a token without its scheme', { Authorization: app.token }],
    ['an unknown token', bearer('0'.repeat(64))],
  ])('is closed with 4403 for %s', async (_what, params) => {
    expect(await refusalOf(params)).toEqual([4403, expect.stringMatching(/access token/i)])
  })

  test.each([
    [
      'on the account page',
      ({ cookie }: Person) =>
        postForm(service, '/account/sessions/end', { session: 'current' }, { cookie, ...sameOrigin }),
    ],
    [
      'by itself with endSession',
      async ({ ask }: Person) => {
        const { data } = await ask('{ viewer { sessions { nodes { id } } } }')
        const [{ id: sessionID }] = data.viewer.sessions.nodes
        return ask(mutation('endSession', 'removedSessionID'), { input: { sessionID } })
      },
    ],
    [
      'by another session with endOtherSessions',
      async ({ email }: Person) => {
        const cookie = await signIn(service, world.operator, email)
        const document = 'mutation { endOtherSessions { removedSessionIDs } }'
        return graphqlAs(service, { cookie, workspaceID }, document)
      },
    ],
  ])('with a session cookie acts as the person, and ends if the session is ended %s', async (_how, end) => {
    const person = await signedIn(service, world, 'member')
    const headers = { cookie: person.cookie, origin }
    const raw = await initialized(url, { 'Skein-Workspace': workspaceID }, { headers })
    raw.send({ type: 'subscribe', id: '1', payload: { query: '{ me { id } }' } })
    await expect.poll(() => raw.messages).toHaveLength(3)
    expect(raw.messages.slice(1)).toEqual([
      { type: 'next', id: '1', payload: { data: { me: { id: person.id } } } },
      { type: 'complete', id: '1' },
    ])
    const { data } = await person.ask('{ latestEventCursor }')
    const variables = { after: data.latestEventCursor }
    raw.send({ type: 'subscribe', id: '2', payload: { query: eventsDocument, variables } })
    await say(world.as(world.ada.id), [world.publicGroup.id], 'hello', 'S')
    await expect.poll(() => raw.messages).toHaveLength(5)
    await end(person)
    await say(world.as(world.ada.id), [world.publicGroup.id], 'unheard', 'S')
    expect(await raw.closed).toEqual({ code: 4403, reason: 'The session has ended. Sign in again.' })
    expect(JSON.stringify(raw.messages)).not.toContain('unheard')
  })

  test('with a session cookie must name a workspace of the person', async () => {
    const { cookie } = await signedIn(service, world, 'member')
    const other = await makeWorld(service)
    const headers = { cookie, origin }
    expect(await refusalOf({}, headers)).toEqual([4400, expect.stringContaining('Skein-Workspace')])
    expect(await refusalOf({ 'Skein-Workspace': other.workspaceID }, headers)).toEqual([
      4403,
      expect.stringContaining('not in the workspace'),
    ])
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
  ])('with a session cookie is refused from a page of %s', async (_what, headers) => {
    const { cookie } = await signedIn(service, world, 'member')
    const params = { 'Skein-Workspace': workspaceID }
    expect(await refusalOf(params, { cookie, ...headers })).toEqual([4403, expect.stringContaining('page')])
  })

  test('with a token works from a page of any origin, because the page must know the token', async () => {
    await initialized(url, bearer(app.token), { headers: { origin: 'https://other.example' } })
  })
})

describe('an event stream', () => {
  test('gets 401 with WWW-Authenticate if its token is missing or wrong', async () => {
    const missing = await post({})
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="skein"'])
    expect(await codeIn(missing)).toBe('UNAUTHENTICATED')
    const wrong = await post(bearer('0'.repeat(64)))
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
  })

  test('with a session cookie acts as the person', async () => {
    const person = await signedIn(service, world, 'member')
    const headers = { cookie: person.cookie, 'skein-workspace': workspaceID, origin }
    const answer = await post(headers, '{ me { id } }')
    expect(await answer.text()).toContain(`{"data":{"me":{"id":"${person.id}"}}`)
  })

  test('with a session cookie must name a workspace, come from a page of the service, and use POST', async () => {
    const { cookie } = await signedIn(service, world, 'member')
    const own = { cookie, 'skein-workspace': workspaceID }
    const foreign = await post({ ...own, origin: 'https://evil.example' })
    expect([foreign.status, await codeIn(foreign)]).toEqual([403, 'FORBIDDEN'])
    const without = await post({ cookie, origin })
    expect([without.status, await codeIn(without)]).toEqual([400, 'INVALID_INPUT'])
    const query = new URLSearchParams({ query: eventsDocument })
    const get = await fetch(`${url}?${query}`, { headers: { ...own, origin, accept: 'text/event-stream' } })
    expect([get.status, await codeIn(get)]).toEqual([403, 'FORBIDDEN'])
  })
})

test('a person who leaves the workspace receives no more of its events', async () => {
  const person = await signedIn(service, world, 'member')
  const headers = { cookie: person.cookie, origin }
  const raw = await initialized(url, { 'Skein-Workspace': workspaceID }, { headers })
  const { data } = await person.ask('{ latestEventCursor }')
  const payload = { query: eventsDocument, variables: { after: data.latestEventCursor } }
  raw.send({ type: 'subscribe', id: '1', payload })
  await deletePerson(world.operator, { userID: person.id })
  await say(world.as(world.ada.id), [world.publicGroup.id], 'unheard', 'S')
  await expect
    .poll(() => raw.messages.at(-1))
    .toMatchObject({ type: 'error', payload: [{ extensions: { code: 'FORBIDDEN' } }] })
  expect(JSON.stringify(raw.messages)).not.toContain('unheard')
})
