import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { isInUse } from '../../src/messages/access.ts'
import { testDatabase } from '../support/database.ts'
import { makeWorld, postToWebhook, uploadToWebhook, type World } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { type Service, startService } from '../support/service.ts'
import { announce, askForTicket, createFile, md5Of, putBytes, uploadByTicket } from '../support/uploads.ts'

const quota = 1000
const env = { MAX_WORKSPACE_BYTES: String(quota), UPLOAD_RATE_PER_MINUTE: '0' }
const database = await testDatabase()
const service = await startService(env, database)
// The services `other` and `without` represent other processes on the same database.
const { db } = database
const sameDatabase = { db, close: async () => undefined }
const other = await startService(env, sameDatabase)
const without = await startService({ ...env, MAX_WORKSPACE_BYTES: '0' }, sameDatabase)
let world: World

beforeEach(async () => {
  world = await makeWorld(service)
})

const upload = (size: number, of = world, on: Service = service) =>
  uploadToWebhook(on, of.webhook.path, randomBytes(size))

const sizeOfFiles = async ({ operator: { db }, workspaceID }: World) => {
  const { _sum } = await db.file.aggregate({ where: { workspaceID }, _sum: { sizeBytes: true } })
  return Number(_sum.sizeBytes)
}

const counted = async ({ operator: { db }, workspaceID }: World) =>
  Number((await db.workspaceStorage.findUniqueOrThrow({ where: { workspaceID } })).usedBytes)

test('a file that fills the quota is stored, and a file that exceeds it is rejected with 413', async () => {
  expect((await upload(600)).statusCode).toBe(200)
  const refused = await upload(401)
  expect(refused.statusCode).toBe(413)
  expect(refused.json()).toMatchObject({
    code: 'quota_exceeded',
    detail:
      'The file would exceed the storage quota of the workspace, which is 1000 bytes. Nothing was stored.',
  })
  expect((await upload(400)).statusCode).toBe(200)
  expect((await upload(0)).statusCode).toBe(200)
  expect((await upload(1)).statusCode).toBe(413)
  expect((await upload(1, await makeWorld(service))).statusCode).toBe(200)
})

test('a file is rejected by its declared size before the body is read', async () => {
  const socket = connect(await listen(service), '127.0.0.1')
  const headers = ['Host: x', `Content-Length: ${quota + 1}`, `Content-MD5: ${md5Of('x')}`, 'X-File-Name: x']
  socket.write(`PUT ${world.webhook.path}/attachment HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 .*quota_exceeded/s)
  socket.destroy()
})

test('the quota is checked when a ticket is created, and again when the file is uploaded', async () => {
  const { token } = world.app
  const { errors } = await announce(service, token, randomBytes(quota + 1))
  expect(errors).toMatchObject([
    { extensions: { code: 'QUOTA_EXCEEDED', limit: { name: 'workspaceBytes', max: quota } } },
  ])
  const bytes = randomBytes(600)
  const ticket = await askForTicket(service, token, bytes)
  await upload(600)
  expect((await putBytes(service, ticket, bytes)).json()).toMatchObject({
    status: 413,
    code: 'quota_exceeded',
  })
  expect((await createFile(service, token, ticket.id)).errors).toHaveLength(1)
  expect(await sizeOfFiles(world)).toBe(600)
})

test('a second file with the same content counts too', async () => {
  const { token } = world.app
  const bytes = randomBytes(400)
  await uploadByTicket(service, token, bytes)
  expect((await announce(service, token, bytes)).data.uploadTicket.__typename).toBe('File')
  expect((await announce(service, token, bytes)).errors).toMatchObject([
    { extensions: { code: 'QUOTA_EXCEEDED' } },
  ])
  expect(await counted(world)).toBe(800)
})

test('a hundred uploads at once never exceed the quota, and later uploads can fill it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, turn) => upload(90, world, turn % 2 ? service : other)),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status !== 200 && status !== 413)).toEqual([])
  const used = await sizeOfFiles(world)
  expect(used).toBe(90 * statuses.filter((status) => status === 200).length)
  expect(used).toBeLessThanOrEqual(quota)
  expect(await counted(world)).toBe(used)
  let more = used
  while ((await upload(90)).statusCode === 200) more += 90
  expect(more).toBe(990)
})

describe('the sweep', () => {
  const expire = ({ operator: { db }, workspaceID }: World) =>
    db.$executeRaw`UPDATE files SET sweep_at = now() - interval '1 hour' WHERE workspace_id = ${workspaceID}`

  test('frees the storage of unattached files, and keeps attached files', async () => {
    const kept = (await upload(300)).json().id
    await postToWebhook(service, world.webhook.path, {
      target: world.publicGroup.id,
      text: 'x',
      attachments: [kept],
    })
    await upload(700)
    const other = await makeWorld(service)
    await upload(500, other)
    await expire(world)
    await sweepFiles(world.operator, isInUse)
    expect([await counted(world), await counted(other)]).toEqual([300, 500])
    expect((await upload(701)).statusCode).toBe(413)
    expect((await upload(700)).statusCode).toBe(200)
  })

  test('keeps the count correct while files are uploaded', async () => {
    for (let turn = 0; turn < 10; turn++) {
      await expire(world)
      await Promise.all([
        sweepFiles(world.operator, isInUse),
        sweepFiles(world.operator, isInUse),
        ...Array.from({ length: 10 }, () => upload(45)),
      ])
      expect(await counted(world)).toBe(await sizeOfFiles(world))
    }
  })
})

test('files that were stored before the quota, or by a process without a quota, also count', async () => {
  expect((await upload(900, world, without)).statusCode).toBe(200)
  expect((await upload(101)).statusCode).toBe(413)
  expect((await upload(500, world, without)).statusCode).toBe(200)
  expect(await counted(world)).toBe(1400)
})

test('each of the first uploads of a workspace counts once if they run at once', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, turn) => upload(20, world, turn % 2 ? service : without)))
  expect(await counted(world)).toBe(await sizeOfFiles(world))
})

test.skipIf(database.embedded)(
  'the first count waits for files that are not committed yet, and includes them',
  async () => {
    const { workspaceID, webhook } = world
    const isWaiting = async () => {
      const waiting = await db.$queryRaw<[]>`
      SELECT FROM pg_locks WHERE NOT granted AND relation = 'files'::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return waiting.length > 0
    }
    let first: ReturnType<typeof upload> | undefined
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO contents (sha256) VALUES (sha256('x'))`
      await tx.$executeRaw`
      INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256)
      VALUES (${workspaceID}, 'fil_x', ${webhook.userID}, 'x', 900, decode(repeat('00', 16), 'hex'), sha256('x'))`
      first = upload(101)
      while (!(await isWaiting())) await sleep(10)
    })
    expect((await first)?.statusCode).toBe(413)
    expect(await counted(world)).toBe(900)
  },
)
