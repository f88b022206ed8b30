import { describe, expect, test } from 'vitest'
import { makeApp, makeWorld, postToWebhook, uploadToWebhook } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'
import {
  announce,
  askForTicket,
  attach,
  createFile,
  md5Of,
  putBytes,
  uploadByTicket,
} from '../support/uploads.ts'

const service = await startService({ MAX_FILE_BYTES: '1000' })

describe('uploadTicket', () => {
  test('returns the URL, the headers and the expiry of the upload', async () => {
    const { app } = await makeWorld(service)
    const before = Date.now()
    const ticket = await askForTicket(service, app.token, 'some bytes')
    expect(ticket).toEqual({
      __typename: 'UploadTicket',
      id: expect.stringMatching(/^upl_[0-9A-Za-z]{27}$/),
      url: expect.stringMatching(new RegExp(`^http://localhost:3000/uploads/${ticket.id}\\?`)),
      headers: [{ name: 'Content-MD5', value: md5Of('some bytes') }],
      formData: [],
      expiresAt: expect.any(String),
    })
    const expires = Date.parse(ticket.expiresAt)
    expect(expires).toBeGreaterThanOrEqual(before + 899_000)
    expect(expires).toBeLessThanOrEqual(Date.now() + 901_000)
  })

  test('accepts the content type and metadata that a client sends, and ignores them', async () => {
    const { app } = await makeWorld(service)
    const said = { contentType: 'image/png', metadata: { width: 7, height: 7 } }
    const ticket = await askForTicket(service, app.token, '<svg/>', said)
    await putBytes(service, ticket, '<svg/>')
    const { data } = await createFile(service, app.token, ticket.id)
    expect(data.createFile?.file).toMatchObject({ contentType: 'text/plain', width: null, height: null })
  })

  test.each([
    ['no name', { name: '' }, 'INVALID_INPUT'],
    ['a path as name', { name: '../x' }, 'INVALID_INPUT'],
    ['a long name', { name: 'é'.repeat(128) }, 'INVALID_INPUT'],
    ['a size that is not a number', { contentLength: '1e3' }, 'INVALID_INPUT'],
    ['a negative size', { contentLength: '-1' }, 'INVALID_INPUT'],
    ['a size that is too large', { contentLength: '1001' }, 'TOO_LARGE'],
    ['an invalid MD5', { contentMD5: 'abc' }, 'INVALID_DIGEST'],
    ['a negative width', { metadata: { width: -1 } }, 'INVALID_INPUT'],
  ])('refuses %s', async (_what, input, code) => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const { data, errors } = await announce(service, app.token, 'x', input)
    expect([data.uploadTicket, errors?.[0]?.extensions.code]).toEqual([null, code])
    expect(await operator.db.uploadTicket.count({ where: { workspaceID } })).toBe(0)
  })

  test('needs the scope to write messages, and is not available to the operator', async () => {
    const world = await makeWorld(service)
    const app = await makeApp(service, world.operator, world.workspaceID, ['threads:read'])
    const codeOf = async (token: string) => (await announce(service, token, 'x')).errors?.[0]?.extensions.code
    expect([await codeOf(app.token), await codeOf(operatorToken)]).toEqual([
      'INSUFFICIENT_SCOPE',
      'FORBIDDEN',
    ])
  })
})

describe('uploadTicket for known content', () => {
  test('returns a new file with the new name if the caller has uploaded the content', async () => {
    const { app } = await makeWorld(service)
    const first = await uploadByTicket(service, app.token, 'known bytes', 'one.txt')
    const { data } = await announce(service, app.token, 'known bytes', { name: 'two.txt' })
    expect(data.uploadTicket).toMatchObject({
      __typename: 'File',
      name: 'two.txt',
      size: 11,
      contentType: 'text/plain',
      contentMD5: first.contentMD5,
    })
    expect(data.uploadTicket.id).not.toBe(first.id)
  })

  test('returns an attachable file to a caller who can see a message with the content', async () => {
    const world = await makeWorld(service)
    const { id } = (await uploadToWebhook(service, world.webhook.path, 'posted bytes')).json()
    const body = { target: world.publicGroup.id, text: 'x', attachments: [id] }
    await postToWebhook(service, world.webhook.path, body)
    const { data } = await announce(service, world.app.token, 'posted bytes')
    expect(data.uploadTicket.__typename).toBe('File')
    await attach(service, world.app.token, world.publicGroup.id, [data.uploadTicket.id])
  })

  test('returns a ticket, as for unknown content, if the caller can see no file with the content', async () => {
    const world = await makeWorld(service)
    const stranger = await makeWorld(service)
    await uploadByTicket(service, stranger.app.token, 'secret bytes')
    const posted = (await uploadToWebhook(service, world.webhook.path, 'secret bytes')).json().id
    const other = await makeApp(service, world.operator, world.workspaceID)
    const uploaded = await uploadByTicket(service, other.token, 'secret bytes')
    await attach(service, other.token, world.grace.id, [uploaded.id])
    expect(posted).toMatch(/^fil_/)
    const known = await announce(service, world.app.token, 'secret bytes')
    const unknown = await announce(service, world.app.token, 'other bytes!')
    const shapeOf = ({ data }: typeof known) => Object.keys(data.uploadTicket)
    expect(known.data.uploadTicket.__typename).toBe('UploadTicket')
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
  })

  test('returns a ticket if the size is different, or several contents have the same MD5', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const [one, two] = [
      await uploadByTicket(service, app.token, 'first bytes'),
      await uploadByTicket(service, app.token, 'other bytes'),
    ]
    const longer = await announce(service, app.token, 'first bytes', { contentLength: '12' })
    expect(longer.data.uploadTicket.__typename).toBe('UploadTicket')
    const { md5 } = await operator.db.file.findUniqueOrThrow({
      where: { workspaceID_id: { workspaceID, id: one.id } },
    })
    await operator.db
      .$executeRaw`UPDATE files SET md5 = ${md5} WHERE workspace_id = ${workspaceID} AND id = ${two.id}`
    const answers = await Promise.all([1, 2, 3].map(() => announce(service, app.token, 'first bytes')))
    expect(answers.map(({ data }) => data.uploadTicket.__typename)).toEqual(Array(3).fill('UploadTicket'))
  })

  test('returns a ticket if the caller does not have the scope to read the message', async () => {
    const world = await makeWorld(service)
    const writer = await makeApp(service, world.operator, world.workspaceID, ['threads.messages:write'])
    const file = await uploadByTicket(service, world.app.token, 'read bytes')
    await attach(service, world.app.token, world.publicGroup.id, [file.id])
    const answer = await announce(service, writer.token, 'read bytes')
    expect(answer.data.uploadTicket.__typename).toBe('UploadTicket')
  })
})

describe('createFile', () => {
  test('returns the file, and returns the same file when it is called again', async () => {
    const { app } = await makeWorld(service)
    const ticket = await askForTicket(service, app.token, 'bytes', { name: 'a.bin' })
    await putBytes(service, ticket, 'bytes')
    const first = await createFile(service, app.token, ticket.id)
    expect(first.data.createFile?.file).toMatchObject({ name: 'a.bin', size: 5, contentMD5: md5Of('bytes') })
    const again = await Promise.all(
      Array.from({ length: 50 }, () => createFile(service, app.token, ticket.id)),
    )
    const ids = again.map(({ data }) => data.createFile?.file.id)
    expect(new Set(ids)).toEqual(new Set([first.data.createFile?.file.id]))
  })

  test('returns CONFLICT before the file is uploaded', async () => {
    const { app } = await makeWorld(service)
    const { id } = await askForTicket(service, app.token, 'bytes')
    const { data, errors } = await createFile(service, app.token, id)
    expect(data.createFile).toBeNull()
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      errors: [{ field: 'uploadTicketID', message: expect.stringContaining('no bytes yet') }],
    })
  })

  test('returns the same NOT_FOUND for the ticket of another user and for an unknown ticket', async () => {
    const [world, stranger] = [await makeWorld(service), await makeWorld(service)]
    const other = await makeApp(service, world.operator, world.workspaceID)
    const ticket = await askForTicket(service, world.app.token, 'bytes')
    await putBytes(service, ticket, 'bytes')
    const messages = new Set<string | undefined>()
    for (const [token, id] of [
      [other.token, ticket.id],
      [stranger.app.token, ticket.id],
      [other.token, 'upl_000000000000000000000000000'],
      [other.token, 'x'],
    ] as const) {
      const { errors } = await createFile(service, token, id)
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
      messages.add(errors?.[0]?.message)
    }
    expect(messages.size).toBe(1)
  })

  test('needs the scope to write messages', async () => {
    const world = await makeWorld(service)
    const app = await makeApp(service, world.operator, world.workspaceID, ['threads:read'])
    const { errors } = await createFile(service, app.token, 'upl_000000000000000000000000000')
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE')
  })
})
