import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { postForm } from '../support/browser-session.ts'
import { makeWorld, postToWebhook, requestToken } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService({ LOG_LEVEL: 'info' })
const world = await makeWorld(service)
const { workspaceID } = world
const appID = world.app.form.client_id
const [, , webhookID] = world.webhook.path.split('/')
const key = world.webhook.path.split('/').at(-1) ?? ''
const address = '127.0.0.1'

function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** Returns the request lines that are logged while `act` runs. */
async function linesOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  service.log.length = 0
  await act()
  return service.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
}

test('a webhook post is logged with the webhook and its workspace', async () => {
  const post = () => postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, text: 'x' })
  expect(await linesOf(post)).toEqual([
    expect.objectContaining({
      address,
      webhookID,
      workspaceID,
      route: '/webhook/:webhookID/:key',
      status: 200,
    }),
  ])
})

test('a refused webhook post is logged with the error code, but without the key', async () => {
  const bad = await linesOf(() => postToWebhook(service, world.webhook.path, { text: '' }))
  expect(bad).toEqual([
    expect.objectContaining({ webhookID, workspaceID, status: 400, code: 'invalid_input' }),
  ])
  const wrong = randomBytes(32).toString('base64url')
  const refused = await linesOf(() =>
    postToWebhook(service, `/webhook/${webhookID}/${wrong}`, { target: world.publicGroup.id, text: 'x' }),
  )
  expect(refused).toEqual([expect.objectContaining({ webhookID, status: 404, code: 'not_found' })])
  expect(JSON.stringify(refused)).not.toContain(wrong)
  const swapped = await linesOf(() => postToWebhook(service, `/webhook/${key}/${webhookID}`, { text: 'x' }))
  expect(swapped).toEqual([expect.objectContaining({ status: 404 })])
  expect(JSON.stringify(swapped)).not.toContain(key)
})

test('a token request is logged with the app and the workspace, but without the secret', async () => {
  const good = await linesOf(() => requestToken(service, world.app.form))
  expect(good).toEqual([expect.objectContaining({ address, appID, workspaceID, status: 200 })])
  const secret = 'not-the-secret'
  const bad = await linesOf(() => requestToken(service, { ...world.app.form, client_secret: secret }))
  expect(bad).toEqual([expect.objectContaining({ appID, workspaceID, status: 401, code: 'invalid_client' })])
  expect(JSON.stringify([good, bad])).not.toMatch(new RegExp(`${secret}|${world.app.form.client_secret}`))
})

test('a GraphQL request is logged with the app, the workspace, the operation and the error', async () => {
  const { token } = world.app
  const asked = await linesOf(() => service.graphql(token, 'query WhoAmI { me { id } }'))
  const operation = { operation: 'WhoAmI', operationType: 'query' }
  expect(asked).toEqual([expect.objectContaining({ address, appID, workspaceID, ...operation, status: 200 })])
  const payload = { query: 'query Wrong { nothing }', operationName: 'Wrong' }
  const headers = { authorization: `Bearer ${token}` }
  const invalid = await linesOf(() =>
    service.app.inject({ method: 'POST', url: '/public/graphql', headers, payload }),
  )
  expect(invalid).toEqual([expect.objectContaining({ appID, operation: 'Wrong' })])
  const missing = `thr_${'0'.repeat(27)}`
  const failed = await linesOf(() => service.graphql(token, `{ thread(id: "${missing}") { id } }`))
  expect(failed).toEqual([expect.objectContaining({ operationType: 'query', code: 'NOT_FOUND' })])
  const stranger = await linesOf(() => service.graphql('not-a-token', '{ me { id } }'))
  expect(stranger).toEqual([expect.objectContaining({ address, status: 401, code: 'UNAUTHENTICATED' })])
  const operator = await linesOf(() =>
    service.graphql(operatorToken, '{ workspaces(first: 1) { nodes { id } } }'),
  )
  expect(operator).toEqual([expect.objectContaining({ operator: 'default', operationType: 'query' })])
  expect(JSON.stringify([asked, failed, stranger, operator])).not.toMatch(/not-a-token|operator-token-of/)
})

test('a request of a person is logged with the person', async () => {
  const { id: userID, ask } = await signedIn(service, world, 'member')
  const asked = await linesOf(() => ask('{ me { id } }'))
  expect(asked).toEqual([expect.objectContaining({ workspaceID, userID, status: 200 })])
})

test('a refused sign-in is logged with its code and the account, but without the password', async () => {
  const { email } = await signedIn(service, world, 'member')
  const { id: accountID } = await world.operator.db.account.findUniqueOrThrow({ where: { email } })
  const signIn = (address: string) =>
    postForm(service, '/signin', { email: address, password: 'wrong-password' })
  const known = await linesOf(() => signIn(email))
  expect(known).toEqual([expect.objectContaining({ status: 403, code: 'forbidden', accountID })])
  const unknown = await linesOf(() => signIn('nobody@example.com'))
  expect(unknown).toEqual([expect.objectContaining({ status: 403, code: 'forbidden' })])
  expect(unknown[0]).not.toHaveProperty('accountID')
  expect(JSON.stringify([known, unknown])).not.toMatch(/wrong-password|nobody@|@example/)
})

test('a link of a deactivated account is logged with the account', async () => {
  const { email } = await signedIn(service, world, 'member')
  const { db } = world.operator
  const { id: accountID } = await db.account.update({ where: { email }, data: { deactivatedAt: new Date() } })
  const path = await linkPathFor(world.operator, email)
  const refused = await linesOf(() => postForm(service, path))
  expect(refused).toEqual([expect.objectContaining({ status: 403, code: 'forbidden', accountID })])
})

test('an upload and a download are logged with the user who got the URL', async () => {
  const { token, userID } = world.app
  const content = Buffer.from('content')
  const contentMD5 = createHash('md5').update(content).digest('base64')
  const input = { name: 'a.txt', contentLength: '7', contentMD5, contentType: 'text/plain' }
  const ticket = `mutation ($input: UploadTicketInput!) { uploadTicket(input: $input) { ... on UploadTicket { id url } } }`
  const { id, url } = (await service.graphql(token, ticket, { input })).data.uploadTicket
  const uploaded = await linesOf(() =>
    service.app.inject({ method: 'PUT', url: pathOf(url), payload: content }),
  )
  expect(uploaded).toEqual([expect.objectContaining({ workspaceID, userID, status: 200 })])
  const created = `mutation ($id: ID!) { createFile(input: { uploadTicketID: $id }) { file { url } } }`
  const { file } = (await service.graphql(token, created, { id })).data.createFile
  const downloaded = await linesOf(() => service.app.inject({ url: pathOf(file.url) }))
  expect(downloaded).toEqual([expect.objectContaining({ workspaceID, userID, status: 200 })])
})

test('health checks are logged at the debug level', async () => {
  const checks = await linesOf(async () => {
    for (const url of ['/health/live', '/health/ready', '/health/version']) await service.app.inject({ url })
  })
  expect(checks).toEqual([])
  service.app.log.level = 'debug'
  const seen = await linesOf(() => service.app.inject({ url: '/health/live' }))
  service.app.log.level = 'info'
  expect(seen).toEqual([expect.objectContaining({ level: 20, route: '/health/live', status: 200 })])
})
