import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { storeFile } from '../../src/files/store-file.ts'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { isInUse } from '../../src/messages/access.ts'
import { makeWorld, postToWebhook, uploadToWebhook } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { startServiceOn, storeNames } from '../support/stores.ts'
import { askForTicket, attach, createFile, download, putBytes, uploadByTicket } from '../support/uploads.ts'

/** Returns a promise that is pending until `open` is called. */
function gate() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, isOpen }
}

describe.each(storeNames)('the sweep of files in %s', async (store) => {
  const service = await startServiceOn(store)
  const db = service.contextOf({ kind: 'operator' }).db

  /** Simulates that hours pass: moves back the stored times of all files, contents and tickets. */
  async function passes(hours: number): Promise<void> {
    await db.$executeRaw`UPDATE files SET sweep_at = sweep_at - make_interval(hours => ${hours}::integer)`
    await db.$executeRaw`UPDATE contents SET sweep_at = sweep_at - make_interval(hours => ${hours}::integer)`
    await db.$executeRaw`UPDATE upload_tickets SET expires_at = expires_at - make_interval(hours => ${hours}::integer)`
  }

  const sweep = () => sweepFiles(service.contextOf({ kind: 'operator' }), isInUse)
  const pathOf = (bytes: Buffer | string) => {
    const hex = createHash('sha256').update(bytes).digest('hex')
    return `${hex.slice(0, 2)}/${hex.slice(2)}`
  }
  const isStored = async (bytes: Buffer | string) => (await service.stored()).includes(pathOf(bytes))
  const isThere = async ({ operator, workspaceID }: { operator: Context; workspaceID: string }, id: string) =>
    (await operator.db.file.count({ where: { workspaceID, id } })) === 1

  test('keeps a new upload for a day, and then deletes the file and its content', async () => {
    const world = await makeWorld(service)
    const bytes = randomBytes(100)
    const file = await uploadByTicket(service, world.app.token, bytes)
    await passes(23)
    await sweep()
    expect([await isThere(world, file.id), await isStored(bytes)]).toEqual([true, true])
    await passes(2)
    await sweep()
    expect([await isThere(world, file.id), await isStored(bytes)]).toEqual([false, false])
    expect((await download(service, file)).statusCode).toBe(403)
  })

  test('keeps attached files of any age, uploaded by ticket or by webhook', async () => {
    const world = await makeWorld(service)
    const [one, two] = [randomBytes(100), randomBytes(100)]
    const file = await uploadByTicket(service, world.app.token, one)
    await attach(service, world.app.token, world.publicGroup.id, [file.id])
    const { id } = (await uploadToWebhook(service, world.webhook.path, two)).json()
    await postToWebhook(service, world.webhook.path, {
      target: world.publicGroup.id,
      text: 'x',
      attachments: [id],
    })
    for (let day = 0; day < 20; day += 1) {
      await passes(24)
      await sweep()
    }
    expect([await isThere(world, file.id), await isThere(world, id)]).toEqual([true, true])
    expect([await isStored(one), await isStored(two)]).toEqual([true, true])
    expect((await download(service, file)).rawPayload).toEqual(one)
  })

  test('deletes a detached file about a week later', async () => {
    const world = await makeWorld(service)
    const bytes = randomBytes(100)
    const { id } = (await uploadToWebhook(service, world.webhook.path, bytes)).json()
    const body = { target: world.publicGroup.id, text: 'x', uniqueBy: 'key' }
    await postToWebhook(service, world.webhook.path, { ...body, attachments: [id] })
    await passes(25)
    await sweep()
    await postToWebhook(service, world.webhook.path, { ...body, attachments: [] })
    await passes(7 * 24 + 1)
    await sweep()
    expect([await isThere(world, id), await isStored(bytes)]).toEqual([false, false])
  })

  test('keeps content that belongs to another file, even in another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const bytes = randomBytes(100)
    const file = await uploadByTicket(service, world.app.token, bytes)
    const kept = await uploadByTicket(service, other.app.token, bytes)
    await attach(service, other.app.token, other.publicGroup.id, [kept.id])
    await passes(25)
    await sweep()
    expect([await isThere(world, file.id), await isThere(other, kept.id)]).toEqual([false, true])
    expect((await download(service, kept)).rawPayload).toEqual(bytes)
  })

  test('deletes the content of an upload that ended before it created a file', async () => {
    const bytes = randomBytes(100)
    const { storage } = service.contextOf({ kind: 'operator' })
    const received = await storage.receive(Readable.from([bytes]))
    await db.$executeRaw`INSERT INTO contents (sha256, sweep_at) VALUES (${received.sha256}, now())`
    await received.store()
    await received.discard()
    expect(await isStored(bytes)).toBe(true)
    await sweep()
    expect(await isStored(bytes)).toBe(false)
  })

  test('deletes tickets a day after they expire, and createFile accepts them until then', async () => {
    const world = await makeWorld(service)
    const [used, unused] = [
      await askForTicket(service, world.app.token, 'bytes of a ticket'),
      await askForTicket(service, world.app.token, 'other bytes of a ticket'),
    ]
    await putBytes(service, used, 'bytes of a ticket')
    await passes(23)
    await sweep()
    const { data } = await createFile(service, world.app.token, used.id)
    const id = data.createFile?.file.id ?? ''
    await attach(service, world.app.token, world.publicGroup.id, [id])
    expect((await putBytes(service, unused, 'other bytes of a ticket')).statusCode).toBe(403)
    await passes(3)
    await sweep()
    const { errors } = await createFile(service, world.app.token, used.id)
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    expect(await isThere(world, id)).toBe(true)
    expect(await db.uploadTicket.count({ where: { workspaceID: world.workspaceID } })).toBe(0)
  })

  test('deletes an upload and its ticket if createFile was never called', async () => {
    const world = await makeWorld(service)
    const ticket = await askForTicket(service, world.app.token, 'never made')
    await putBytes(service, ticket, 'never made')
    await passes(25)
    await sweep()
    expect(await isStored('never made')).toBe(false)
    expect((await createFile(service, world.app.token, ticket.id)).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    )
  })

  test('deletes hundreds of files and contents in one run', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    await uploadByTicket(service, app.token, 'copied')
    await operator.db.$executeRaw`
      INSERT INTO contents SELECT sha256(n::text::bytea), now() FROM generate_series(1, 130) n`
    await operator.db.$executeRaw`
      INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256, sweep_at)
      SELECT ${workspaceID}, 'fil_' || lpad(n::text, 27, '0'), ${app.userID}, 'x', 1, decode(md5('x'), 'hex'), sha256((n % 120 + 1)::text::bytea), now()
      FROM generate_series(1, 210) n`
    await passes(25)
    await sweep()
    expect(await operator.db.file.count({ where: { workspaceID } })).toBe(0)
    expect(await operator.db.content.count({ where: { sweepAt: { lt: new Date() } } })).toBe(0)
  })

  test('makes an upload of the same content wait, and the content is stored afterwards', async () => {
    const world = await makeWorld(service)
    const bytes = randomBytes(100)
    const file = await uploadByTicket(service, world.app.token, bytes)
    await passes(25)
    const ctx = service.contextOf({ kind: 'operator' })
    const [removing, uploading] = [gate(), gate()]
    // Earlier tests can leave contents that this sweep removes first, under locks of their own.
    const own = createHash('sha256').update(bytes).digest()
    const remove = async (sha256: Uint8Array) => {
      if (own.equals(sha256)) {
        removing.open()
        await uploading.isOpen
      }
      await ctx.storage.remove(sha256)
    }
    const sweeping = sweepFiles({ db, storage: { ...ctx.storage, remove } }, isInUse)
    await removing.isOpen
    const upload = uploadToWebhook(service, world.webhook.path, bytes)
    await untilLockWaits(ctx.db)
    uploading.open()
    const again = await upload
    await sweeping
    expect(again.statusCode).toBe(200)
    expect([await isThere(world, file.id), await isThere(world, again.json().id)]).toEqual([false, true])
    expect(await isStored(bytes)).toBe(true)
  })

  test('keeps content whose file has not been created yet', async () => {
    const world = await makeWorld(service)
    const { config, storage } = world.operator
    const bytes = randomBytes(100)
    await uploadByTicket(service, world.app.token, bytes)
    await passes(25)
    const declared = {
      uploaderID: world.app.userID,
      name: 'x',
      sizeBytes: 100,
      workspaceID: world.workspaceID,
    }
    const slow = async (stream: Readable) => {
      const received = await storage.receive(stream)
      const store = async () => {
        await received.store()
        await sweep()
      }
      return { ...received, store }
    }
    const md5 = createHash('md5').update(bytes).digest()
    const shared = { db, config, storage: { ...storage, receive: slow } }
    const file = await storeFile(shared, { ...declared, md5 }, () => Readable.from([bytes]))
    expect([await isThere(world, file.id), await isStored(bytes)]).toEqual([true, true])
  })

  test('deletes content in the next run if the deletion failed before', async () => {
    const world = await makeWorld(service)
    const bytes = randomBytes(100)
    await uploadByTicket(service, world.app.token, bytes)
    await passes(25)
    const { storage } = world.operator
    const remove = () => Promise.reject(new Error('the disk cannot be reached'))
    await expect(sweepFiles({ db, storage: { ...storage, remove } }, isInUse)).rejects.toThrow(
      'the disk cannot be reached',
    )
    expect(await isStored(bytes)).toBe(true)
    await sweep()
    expect(await isStored(bytes)).toBe(false)
  })

  test('loses no attached file if it runs while the same content is uploaded and attached', async () => {
    const world = await makeWorld(service)
    const target = world.publicGroup.id
    const contents = Array.from({ length: 9 }, () => randomBytes(50))
    const sweeps: Promise<unknown>[] = []
    const aDayPasses = async () => {
      await passes(25)
      await Promise.all([sweep(), sweep()])
    }
    const attached: { id: string; bytes: Buffer }[] = []
    // A sweep at the same time can make an upload or a message fail. If both succeed, the file must not be lost.
    const uploadAll = async (number: number) => {
      for (const [time, bytes] of contents.entries()) {
        if ((number + time) % 3 === 0 && time < 7) sweeps.push(aDayPasses())
        const upload = await uploadToWebhook(service, world.webhook.path, bytes)
        if (upload.statusCode !== 200) continue
        const { id } = upload.json()
        const body = { target, text: 'x', attachments: [id] }
        const posted = await postToWebhook(service, world.webhook.path, body)
        if (posted.statusCode === 200) attached.push({ id, bytes })
      }
    }
    await Promise.all(Array.from({ length: 4 }, (_, number) => uploadAll(number)))
    await Promise.all(sweeps)
    await aDayPasses()
    for (const { id, bytes } of attached) {
      expect([id, await isThere(world, id), await isStored(bytes)]).toEqual([id, true, true])
    }
    expect(attached.length).toBeGreaterThan(8)
  })
})
