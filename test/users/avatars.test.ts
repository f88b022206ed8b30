import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { isInUse } from '../../src/messages/access.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { gifOf, jpegOf, pngOf, webpOf } from '../support/images.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn as personOf } from '../support/signed-in.ts'
import { download, uploadAs, uploadByTicket } from '../support/uploads.ts'

const service = await startService()
const { db } = service.contextOf({ kind: 'operator' })
const signedIn = (world: World, role: 'admin' | 'member' = 'member') => personOf(service, world, role)

const upload = (ask: Ask, bytes: Buffer) => uploadAs(service, ask, bytes)
const update = mutation('updateUser', 'user { id name avatarURL }')

async function setAvatar({ id, ask }: { id: string; ask: Ask }, bytes = pngOf(256, 256)): Promise<string> {
  const avatarFileID = await upload(ask, bytes)
  const { data, errors } = await ask(update, { input: { userID: id, avatarFileID } })
  expect(errors).toBeUndefined()
  return data.updateUser.user.avatarURL
}

async function avatarOf(ask: Ask, id: string): Promise<string | null> {
  return (await ask('query ($id: ID!) { user(id: $id) { avatarURL } }', { id })).data.user.avatarURL
}

async function get(url: string, headers = {}) {
  return download(service, { url }, headers)
}

async function sweep(): Promise<void> {
  await sweepFiles(service.contextOf({ kind: 'operator' }), isInUse)
}

test.each([
  ['PNG', pngOf(256, 256), 'image/png'],
  ['JPEG', jpegOf(64, 64), 'image/jpeg'],
  ['WebP', webpOf(128, 128), 'image/webp'],
])('a person sets a picture of the type %s, which everyone in the workspace sees', async (_name, bytes, type) => {
  const world = await makeWorld(service)
  const [person, other] = [await signedIn(world), await signedIn(world)]
  const own = await setAvatar(person, bytes)
  const seen = await avatarOf(other.ask, person.id)
  expect(seen).toMatch(/^http:\/\/localhost:3000\/avatars\/fil_/)
  expect(seen).not.toBe(own)
  expect(await avatarOf(other.ask, person.id)).toBe(seen)
  const answer = await get(seen ?? '')
  expect([answer.statusCode, answer.rawPayload]).toEqual([200, bytes])
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  })
  const again = await get(seen ?? '', { 'if-none-match': answer.headers.etag })
  expect(again.statusCode).toBe(304)
})

test.each([
  ['a file of another type', gifOf(64, 64), ['must be a PNG, JPEG or WebP image, but the file is image/gif']],
  ['a text that is called an image', Buffer.from('<svg/>'), [expect.stringContaining('is text/plain')]],
  ['an image that is not square', pngOf(256, 255), [expect.stringContaining('the image is 256 x 255')]],
  ['an image that is too wide', pngOf(257, 257), [expect.stringContaining('the image is 257 x 257')]],
  ['an image without a size', pngOf(64, 64).subarray(0, 12), [expect.stringContaining('the image is ? x ?')]],
  [
    'an image that is too large in both ways',
    Buffer.concat([pngOf(300, 300), randomBytes(256 * 1024)]),
    [expect.stringContaining('at most 262144 bytes'), expect.stringContaining('the image is 300 x 300')],
  ],
])('refuses %s, and keeps the former picture', async (_what, bytes, messages) => {
  const person = await signedIn(await makeWorld(service))
  const before = await setAvatar(person)
  const avatarFileID = await upload(person.ask, bytes)
  const { errors } = await person.ask(update, { input: { userID: person.id, name: 'New', avatarFileID } })
  expect(errors).toMatchObject([
    {
      extensions: {
        code: 'INVALID_INPUT',
        errors: messages.map((message) => ({ field: 'avatarFileID', message })),
      },
    },
  ])
  expect(await avatarOf(person.ask, person.id)).toBe(before)
})

test('refuses a file that another person uploaded like a file that does not exist', async () => {
  const world = await makeWorld(service)
  const [person, other] = [await signedIn(world), await signedIn(world)]
  for (const avatarFileID of [
    await upload(other.ask, pngOf(64, 64)),
    'fil_000000000000000000000000000',
    'x',
  ]) {
    const { errors } = await person.ask(update, { input: { userID: person.id, avatarFileID } })
    const problem = { field: 'avatarFileID', message: 'is not the ID of a file that you uploaded' }
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', errors: [problem] } }])
  }
})

test('only the person sets the picture, and an admin or the operator can remove it', async () => {
  const world = await makeWorld(service)
  const [person, member, admin] = [
    await signedIn(world),
    await signedIn(world),
    await signedIn(world, 'admin'),
  ]
  for (const { ask } of [member, admin]) {
    const avatarFileID = await upload(ask, pngOf(64, 64))
    const { errors } = await ask(update, { input: { userID: person.id, avatarFileID } })
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  }
  const removal = { input: { userID: person.id, avatarFileID: null } }
  await setAvatar(person)
  expect((await member.ask(update, removal)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  for (const remove of [
    () => admin.ask(update, removal),
    () => service.graphql(operatorToken, update, removal),
    () => person.ask(update, removal),
  ]) {
    await setAvatar(person)
    expect((await remove()).errors).toBeUndefined()
    expect(await avatarOf(person.ask, person.id)).toBeNull()
  }
})

test('a link ends when the picture is replaced, removed or swept with its user, or when its viewer is deleted', async () => {
  const world = await makeWorld(service)
  const [person, viewer] = [await signedIn(world), await signedIn(world)]
  await setAvatar(person, jpegOf(64, 64))
  const first = (await avatarOf(viewer.ask, person.id)) ?? ''
  await setAvatar(person, pngOf(64, 64))
  const second = (await avatarOf(viewer.ask, person.id)) ?? ''
  expect([(await get(first)).statusCode, (await get(second)).statusCode]).toEqual([403, 200])
  const forged = second.replace(`user=${viewer.id}`, `user=${person.id}`)
  expect((await get(forged)).statusCode).toBe(403)
  await mutated(service, operatorToken, 'deleteUser', { userID: viewer.id }, 'removedUserID')
  expect((await get(second)).statusCode).toBe(403)
  const other = await signedIn(world)
  const third = (await avatarOf(other.ask, person.id)) ?? ''
  await mutated(service, operatorToken, 'deleteUser', { userID: person.id }, 'removedUserID')
  expect([await avatarOf(other.ask, person.id), (await get(third)).statusCode]).toEqual([null, 403])
})

test('the sweep keeps a picture of any age, and deletes it when it has been replaced', async () => {
  const world = await makeWorld(service)
  const person = await signedIn(world)
  await setAvatar(person, jpegOf(64, 64))
  await db.$executeRaw`UPDATE files SET sweep_at = now() - interval '1 hour' WHERE workspace_id = ${world.workspaceID}`
  await sweep()
  const url = await setAvatar(person, pngOf(64, 64))
  await sweep()
  expect(await db.file.count({ where: { workspaceID: world.workspaceID } })).toBe(1)
  expect((await get(url)).statusCode).toBe(200)
  await mutated(service, operatorToken, 'deleteUser', { userID: person.id }, 'removedUserID')
  await sweep()
  expect(await db.file.count({ where: { workspaceID: world.workspaceID } })).toBe(0)
})

test('of pictures that are set at the same time, one remains', async () => {
  const world = await makeWorld(service)
  const person = await signedIn(world)
  const files = await Promise.all([8, 16, 24, 32, 40].map((side) => upload(person.ask, pngOf(side, side))))
  const answers = await Promise.all(
    files.map((avatarFileID) => person.ask(update, { input: { userID: person.id, avatarFileID } })),
  )
  expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([])
  await sweep()
  expect(await db.file.count({ where: { workspaceID: world.workspaceID } })).toBe(1)
  expect((await get((await avatarOf(person.ask, person.id)) ?? '')).statusCode).toBe(200)
})

test('who manages a webhook sets and removes its picture', async () => {
  const world = await makeWorld(service)
  const { token } = world.app
  const admin = await signedIn(world, 'admin')
  const set = (avatarFileID: string | null) =>
    admin.ask(mutation('updateWebhook', 'webhook { name user { avatarURL } }'), {
      input: { webhookID: world.webhook.id, avatarFileID },
    })
  const { webhook } = (await set(await upload(admin.ask, pngOf(64, 64)))).data.updateWebhook
  expect(webhook).toMatchObject({ name: 'Alerts', user: { avatarURL: expect.any(String) } })
  expect((await get(webhook.user.avatarURL)).statusCode).toBe(200)
  const { id } = await uploadByTicket(service, token, pngOf(32, 32))
  const input = { webhookID: world.webhook.id, avatarFileID: id }
  const refused = await mutate(service, token, 'updateWebhook', input, 'webhook { id }')
  expect(refused.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  expect((await set(null)).data.updateWebhook.webhook.user.avatarURL).toBeNull()
})

test('the picture of an app is shown by its users in all workspaces, also by those that are created later', async () => {
  const [world, second, third] = [
    await makeWorld(service),
    await makeWorld(service),
    await makeWorld(service),
  ]
  const admin = await signedIn(world, 'admin')
  const appID = world.app.id
  const install = async ({ workspaceID }: World) =>
    (
      await mutated(
        service,
        operatorToken,
        'installApp',
        { workspaceID, appID },
        'installation { user { id } }',
      )
    ).installation.user.id
  const users = [world.app.userID, await install(second)]
  const set = async (avatarFileID: string | null) =>
    (await admin.ask(mutation('updateApp', 'app { avatarURL }'), { input: { appID, avatarFileID } })).data
      .updateApp.app.avatarURL
  const bytes = pngOf(64, 64)
  const url = await set(await upload(admin.ask, bytes))
  users.push(await install(third))
  for (const [index, each] of [world, second, third].entries()) {
    const { ask } = await signedIn(each)
    const shown = (await avatarOf(ask, users[index])) ?? ''
    expect((await get(shown)).rawPayload).toEqual(bytes)
  }
  expect((await get(url)).statusCode).toBe(200)
  expect(await set(null)).toBeNull()
  await sweep()
  const where = { workspaceID: { in: [world, second, third].map(({ workspaceID }) => workspaceID) } }
  expect(await db.file.count({ where })).toBe(0)
})

test('an app that is installed again has its picture again', async () => {
  const world = await makeWorld(service)
  const { workspaceID, app } = world
  const admin = await signedIn(world, 'admin')
  const avatarFileID = await upload(admin.ask, pngOf(64, 64))
  await admin.ask(mutation('updateApp', 'app { id }'), { input: { appID: app.id, avatarFileID } })
  const input = { workspaceID, appID: app.id }
  await mutated(service, operatorToken, 'uninstallApp', input, 'removedUserID')
  expect(await avatarOf(admin.ask, app.userID)).toBeNull()
  await mutated(service, operatorToken, 'installApp', input, 'installation { id }')
  expect((await get((await avatarOf(admin.ask, app.userID)) ?? '')).statusCode).toBe(200)
})

test('a new picture is an event userUpdated, with the link of the reader', async () => {
  const world = await makeWorld(service)
  const [person, reader] = [await signedIn(world), await signedIn(world)]
  const { latestEventCursor: after } = (await reader.ask('{ latestEventCursor }')).data
  await setAvatar(person)
  const query = `query ($after: String!) {
    events(first: 10, after: $after, types: [userUpdated]) { nodes { objectID user { avatarURL } } } }`
  const { events } = (await reader.ask(query, { after })).data
  expect(events.nodes).toEqual([
    { objectID: person.id, user: { avatarURL: await avatarOf(reader.ask, person.id) } },
  ])
})
