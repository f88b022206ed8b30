import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { inTransaction, openDatabase } from '../../src/database/database.ts'
import { databaseFailure, violatedConstraint } from '../../src/database/database-errors.ts'
import { driverOf } from '../../src/database/driver/drivers.ts'
import { runMaintenance } from '../../src/database/maintenance.ts'
import { query } from '../../src/database/query.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { generalGroupID } from '../../src/groups/general-group-id.ts'
import { testDatabase } from '../support/database.ts'
import { onServer } from '../support/global-setup.ts'
import { untilRunning } from '../support/lock-waits.ts'

const { db, url, embedded, close } = await testDatabase()
const root = await mkdtemp(join(tmpdir(), 'skein-database-'))

afterAll(async () => {
  await close()
  await rm(root, { recursive: true })
})

const at = new Date('2026-03-29T01:30:00.007Z')
const bytes = Uint8Array.from([0, 255, 92, 39, 10])

async function makeWorkspace(id: string, database = db): Promise<void> {
  await inTransaction(database, async (tx) => {
    await tx.workspace.create({ data: { id, name: id, createdAt: at } })
    await tx.group.create({ data: { workspaceID: id, id: generalGroupID(id), name: 'General' } })
  })
}

/** Returns the error that the promise is rejected with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => error,
  )
}

describe('values', () => {
  test('are written and read unchanged by the client', async () => {
    await makeWorkspace('values')
    await db.user.create({ data: { workspaceID: 'values', id: 'u', kind: 'person', name: 'É✓' } })
    const file = {
      ...{ workspaceID: 'values', id: 'f', uploaderID: 'u', name: 'ü"\\', createdAt: at },
      ...{ sizeBytes: 2n ** 62n, md5: new Uint8Array(16).fill(255), sha256: new Uint8Array(32) },
    }
    await db.content.create({ data: { sha256: file.sha256 } })
    await db.file.create({ data: file })
    expect(await db.file.findFirst({ where: { createdAt: at, sizeBytes: file.sizeBytes } })).toMatchObject(
      file,
    )
  })

  test('are written and read unchanged by raw SQL', async () => {
    const [row] = await db.$queryRaw<object[]>`
      SELECT ${at}::timestamptz(3) AS at, ${2n ** 62n}::bigint AS big, ${bytes}::bytea AS bytes,
        ${Buffer.from(bytes)}::bytea AS buffer, ${null}::text AS nothing, ${true}::boolean AS yes, ${7}::int AS seven,
        ${['a', 'b']}::text[] AS texts`
    expect(row).toEqual({
      ...{ at, big: 2n ** 62n, bytes, buffer: bytes, nothing: null, yes: true, seven: 7, texts: ['a', 'b'] },
    })
  })

  test('of type Date are the same instant for the client, raw SQL and the database', async () => {
    await makeWorkspace('instants')
    const rows = await db.$queryRaw<object[]>`
      SELECT created_at, created_at = ${at}::timestamptz AS same, extract(epoch FROM created_at)::float8 AS epoch
      FROM workspaces WHERE id = 'instants'`
    expect(rows).toEqual([{ created_at: at, same: true, epoch: at.getTime() / 1000 }])
  })

  test('are the same arrays of texts that were written', async () => {
    const plain = ['a', 'b c', "'", 'é✓', 'null']
    const quoted = ['a', 'b,c', 'd"e', 'f\\g', '', 'NULL', '{x}', ' y ', '\n']
    for (const texts of [[], plain, quoted, [...plain, null, ...quoted], [null], [''], ['NULL']]) {
      expect(await query(db, Prisma.sql`SELECT ${texts}::text[] AS texts`)).toEqual([{ texts }])
    }
  })

  test('can be arrays, which unnest expands to columns', async () => {
    const texts = ['a', 'b,c', 'd"e', 'f\\g', '', 'NULL', '{x}', ' y ', 'é✓\n', "'"]
    const rows = await db.$queryRaw<{ text: string; at: Date; big: bigint; bytes: Uint8Array }[]>`
      SELECT * FROM unnest(${texts}::text[], ${texts.map(() => at)}::timestamptz[],
        ${texts.map((_, i) => BigInt(i))}::bigint[], ${texts.map(() => bytes)}::bytea[]) AS t (text, at, big, bytes)`
    expect(rows).toEqual(texts.map((text, i) => ({ text, at, big: BigInt(i), bytes })))
    expect(await db.$queryRaw`SELECT * FROM unnest(${[]}::text[])`).toEqual([])
    expect(await db.$queryRaw`SELECT * FROM unnest(${['a', null]}::text[]) AS t`).toEqual([
      { t: 'a' },
      { t: null },
    ])
  })
})

describe('transactions', () => {
  test('succeed if a hundred run at the same time', async () => {
    await makeWorkspace('hundred')
    const names = Array.from({ length: 100 }, (_, i) => `group ${i}`)
    await Promise.all(
      names.map((id) =>
        inTransaction(db, async (tx) => {
          await tx.group.create({ data: { workspaceID: 'hundred', id, name: 'new' } })
          await tx.group.updateMany({ where: { workspaceID: 'hundred', id }, data: { name: id } })
        }),
      ),
    )
    expect(await db.group.count({ where: { workspaceID: 'hundred', name: { in: names } } })).toBe(100)
  })

  test('are one transaction if they are nested', async () => {
    const failure = await failureOf(
      inTransaction(db, async (tx) => {
        await inTransaction(tx, (inner) => inner.workspace.create({ data: { id: 'inner', name: 'x' } }))
        throw new Error('outer')
      }),
    )
    expect(failure).toEqual(new Error('outer'))
    expect(await db.workspace.count({ where: { id: 'inner' } })).toBe(0)
  })

  test('fail if COMMIT fails', async () => {
    const failure = await failureOf(
      inTransaction(db, (tx) => tx.workspace.create({ data: { id: 'no group', name: 'x' } })),
    )
    expect(violatedConstraint(failure)).toBe('workspaces_general_group')
    expect(await db.workspace.count({ where: { id: 'no group' } })).toBe(0)
    await makeWorkspace('after a refusal')
  })

  test('are not reported as committed if a failed statement is ignored', async () => {
    const failure = await failureOf(
      inTransaction(db, async (tx) => {
        await tx.$executeRaw`SELECT 1 / 0`.catch(() => undefined)
        return 'done'
      }),
    )
    expect(String(failure)).toContain('The transaction was rolled back')
    await makeWorkspace('after a rollback')
  })
})

describe('failures', () => {
  const workspace = { id: 'failures', name: 'x' }

  test('a duplicate is reported with its constraint', async () => {
    await makeWorkspace('failures')
    const failures = await Promise.all([
      failureOf(db.workspace.create({ data: workspace })),
      failureOf(db.$executeRaw`INSERT INTO workspaces (id, name) VALUES ('failures', 'x')`),
      failureOf(db.$queryRaw`INSERT INTO workspaces (id, name) VALUES ('failures', 'x') RETURNING id`),
      failureOf(inTransaction(db, (tx) => tx.workspace.create({ data: workspace }))),
      failureOf(
        inTransaction(db, (tx) => tx.$executeRaw`INSERT INTO workspaces (id, name) VALUES ('failures', 'x')`),
      ),
    ])
    expect(failures.map(databaseFailure)).toEqual(failures.map(() => 'duplicate'))
    expect(failures.map(violatedConstraint)).toEqual(failures.map(() => 'workspaces_pkey'))
  })

  test('a missing row is reported as missing', async () => {
    const where = { id: 'nowhere' }
    expect(databaseFailure(await failureOf(db.workspace.findUniqueOrThrow({ where })))).toBe('missing')
    expect(databaseFailure(await failureOf(db.workspace.update({ where, data: { name: 'x' } })))).toBe(
      'missing',
    )
    expect(databaseFailure(await failureOf(db.workspace.delete({ where })))).toBe('missing')
  })

  test('a reference to a missing row is reported as missing, and a failed check only with the name of its constraint', async () => {
    await makeWorkspace('checked')
    const foreign = await failureOf(db.group.create({ data: { workspaceID: 'nowhere', id: 'x', name: 'x' } }))
    const checked = await failureOf(
      db.$executeRaw`UPDATE groups SET is_private = true WHERE name = 'General'`,
    )
    expect([foreign, checked].map(databaseFailure)).toEqual(['missing', undefined])
    expect([foreign, checked].map(violatedConstraint)).toEqual([
      'groups_workspace_id_fkey',
      'general_is_public',
    ])
  })

  test.each([
    ['40001', 'unavailable'], // serialization failure
    ['40P01', 'unavailable'], // deadlock
    ['53100', 'out_of_space'],
    ['53200', 'unavailable'], // out of memory
    ['53300', 'unavailable'], // too many connections
    ['55P03', 'locked'], // lock time-out
    ['57014', 'unavailable'], // statement time-out
    ['57P01', 'unavailable'], // shutting down
    ['57P03', 'unavailable'], // starting up
    ['08006', 'unavailable'], // connection failure
    ['25006', 'unavailable'], // read-only standby
    ['22P02', undefined], // invalid number
    ['P0001', undefined],
  ])('SQLSTATE %s is %s', async (state, failure) => {
    const raise = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}', MESSAGE = 'raised'; END $$`
    expect(databaseFailure(await failureOf(db.$executeRawUnsafe(raise)))).toBe(failure)
    const inside = inTransaction(db, (tx) => tx.$executeRawUnsafe(raise))
    expect(databaseFailure(await failureOf(inside))).toBe(failure)
  })

  test('a transaction that takes too long is rolled back', async () => {
    const tooLong = db.$transaction(
      async (tx) => {
        await tx.workspace.create({ data: { id: 'too long', name: 'x' } })
        await sleep(300)
        await tx.workspace.count()
      },
      { timeout: 100 },
    )
    expect(databaseFailure(await failureOf(tooLong))).toBe('unavailable')
    expect(await db.workspace.count({ where: { id: 'too long' } })).toBe(0)
  })

  test('an error that is not from the database is not classified', () => {
    const broken = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const noFile = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' })
    const all = [new Error('x'), broken, noFile, undefined, null, 'P2002', {}]
    expect(all.map(databaseFailure)).toEqual(all.map(() => undefined))
  })
})

describe.runIf(embedded)('the embedded database', () => {
  test('keeps its data, can be read only by its owner, and can be opened only once at a time', async () => {
    const dataDir = join(root, 'data')
    const options = { dataDir, poolSize: 1 }
    // A process that is killed while it creates the database leaves this directory.
    await mkdir(join(dataDir, 'db.incomplete', 'base'), { recursive: true })
    const first = await openDatabase(options)
    expect(await readdir(dataDir)).toEqual(['db', 'lock'])
    await expect(openDatabase(options)).rejects.toThrow(`The data directory ${dataDir} is in use`)
    await rm(join(dataDir, 'lock'))
    await expect(openDatabase(options)).rejects.toThrow(`The data directory ${dataDir} is in use`)
    await first.db.$executeRaw`CREATE TABLE kept AS SELECT 1 AS n`
    await first.close()
    const second = await openDatabase(options)
    expect(await second.db.$queryRaw`SELECT n FROM kept`).toEqual([{ n: 1 }])
    await second.close()
    expect(databaseFailure(await failureOf(second.db.workspace.count()))).toBe('unavailable')
    expect((await stat(join(dataDir, 'db'))).mode & 0o777).toBe(0o700)
  })

  test('gets a checkpoint when its log has grown, and a vacuum when rows were deleted', async () => {
    const opened = await testDatabase()
    const driver = driverOf(opened.db)
    if (!driver) throw new Error('The client has no driver')
    const logBytes = async () => {
      const [row] = await opened.db.$queryRaw<{ bytes: number }[]>`
        SELECT (pg_current_wal_insert_lsn() - redo_lsn)::int AS bytes FROM pg_control_checkpoint()`
      return row?.bytes
    }
    await opened.db.$executeRaw`SELECT pg_logical_emit_message(false, 'log', repeat('x', 40 * 1024 * 1024))`
    await opened.db.$executeRaw`CREATE TABLE dying AS SELECT * FROM generate_series(1, 5000) n`
    await opened.db.$executeRaw`DELETE FROM dying`
    await opened.db.$executeRaw`SELECT pg_stat_force_next_flush()`
    expect(await logBytes()).toBeGreaterThan(40 * 1024 * 1024)
    await runMaintenance(driver)
    expect(await logBytes()).toBeLessThan(1024 * 1024)
    expect(await opened.db.$queryRaw`SELECT pg_relation_size('dying')::int AS bytes`).toEqual([{ bytes: 0 }])
    await opened.close()
  })
})

describe.runIf(url)('a server', () => {
  const open = (databaseURL: string, poolSize = 4) => openDatabase({ databaseURL, dataDir: root, poolSize })

  test('can have any time zone and date style', async () => {
    const other = await testDatabase()
    const name = new URL(String(other.url)).pathname.slice(1)
    await onServer(String(other.url), `ALTER DATABASE ${name} SET timezone TO 'Asia/Kolkata'`)
    await onServer(String(other.url), `ALTER DATABASE ${name} SET datestyle TO 'SQL, DMY'`)
    const opened = await open(`${other.url}?options=-c%20timezone%3DAmerica/New_York`)
    await makeWorkspace('zones', opened.db)
    expect(await opened.db.workspace.findUnique({ where: { id: 'zones' } })).toMatchObject({ createdAt: at })
    expect(await other.db.workspace.findUnique({ where: { id: 'zones' } })).toMatchObject({ createdAt: at })
    expect(await opened.db.$queryRaw`SELECT ${at}::timestamptz AS at`).toEqual([{ at }])
    await opened.close()
    await other.close()
  })

  test('that closes a connection fails the running statement, and serves the next', async () => {
    const errors: Error[] = []
    const opened = await openDatabase({
      databaseURL: url,
      dataDir: root,
      poolSize: 4,
      onError: (e) => errors.push(e),
    })
    let end = () => {}
    const hasEnded = new Promise<void>((resolve) => {
      end = resolve
    })
    const asleep = failureOf(opened.db.$queryRaw`SELECT pg_sleep(20)::text`)
    const inside = failureOf(inTransaction(opened.db, (tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`))
    const between = failureOf(
      inTransaction(opened.db, async (tx) => {
        await tx.workspace.count()
        await hasEnded
        await tx.workspace.count()
      }),
    )
    await untilRunning(opened.db, 'SELECT pg_sleep(20)', 2)
    await endConnections()
    end()
    expect((await Promise.all([asleep, inside, between])).map(databaseFailure)).toEqual(
      Array(3).fill('unavailable'),
    )
    expect(await opened.db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }])
    await endConnections()
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect(await opened.db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }])
    await opened.close()
  })

  test('that closes an idle connection causes a log entry even before Prisma is used, and serves the next statement', async () => {
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    const opened = await openDatabase({ databaseURL: url, dataDir: root, poolSize: 4, onError })
    const select = { text: 'SELECT 1 AS one', values: [] }
    expect(await query(opened.db, select)).toEqual([{ one: 1 }])
    await endConnections()
    await expect.poll(() => errors.length).toBe(1)
    expect(JSON.stringify(errors)).not.toContain('127.0.0.1')
    expect(await query(opened.db, select)).toEqual([{ one: 1 }])
    await opened.close()
  })

  test('whose connections are all in use counts as unavailable after a while', async () => {
    const opened = await open(String(url), 1)
    const first = opened.db.$queryRaw`SELECT pg_sleep(18)::text`.then(() => 'done')
    await untilRunning(db, 'pg_sleep(18)')
    const second = failureOf(opened.db.$queryRaw`SELECT 1`)
    const third = failureOf(inTransaction(opened.db, (tx) => tx.workspace.count()))
    expect((await Promise.all([second, third])).map(databaseFailure)).toEqual(['unavailable', 'unavailable'])
    await first
    await opened.close()
  })

  test('without the requested database causes an error that names the database', async () => {
    const other = new URL(String(url))
    other.pathname = '/nowhere'
    await expect(open(other.href)).rejects.toThrow(
      /\/nowhere cannot be used: database "nowhere" does not exist/,
    )
  })

  const endConnections = () =>
    onServer(
      String(url),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'skein' AND (state <> 'idle' OR query LIKE '%one%')`,
    )
})

describe('a start', () => {
  const open = (databaseURL: string) => openDatabase({ databaseURL, dataDir: root, poolSize: 1 })

  test('without a server fails with an error that names the address, but not the password', async () => {
    const failure = await failureOf(open('postgres://me:s3cret@127.0.0.1:1/db'))
    expect(failure).toEqual(
      new Error('The database 127.0.0.1:1/db cannot be used: connect ECONNREFUSED 127.0.0.1:1'),
    )
  })

  test.each([
    'postgres://me:12#s3cret@127.0.0.1/db',
    'postgres://me:12/s3cret@127.0.0.1/db',
    'postgres://me:12?s3cret@127.0.0.1/db',
    'postgres://me:s3cret@127.0.0.1:port/db',
    'postgres://me:s3cret@[::1/db',
  ])('with the invalid URL %s fails without printing the password', async (databaseURL) => {
    const failure = await failureOf(open(databaseURL))
    expect(String(failure)).toMatch(/^Error: DATABASE_URL cannot be parsed/)
    expect(JSON.stringify([failure, String(failure)])).not.toContain('s3cret')
  })

  test('with a server that is too old fails with its version', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.concat([reply('R', Buffer.alloc(4)), reply('Z', Buffer.from('I'))]))
        socket.on('data', (data) => data[0] === 0x51 && socket.write(versionReply('140012')))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await expect(open(`postgres://me:s3cret@127.0.0.1:${port}/db`)).rejects.toThrow(
      `The database 127.0.0.1:${port}/db cannot be used: it runs PostgreSQL 14, but version 15 or later is required.`,
    )
    server.close()
  })
})

/** Encodes a message of the PostgreSQL protocol. */
function reply(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

function versionReply(version: string): Buffer {
  const column = Buffer.concat([Buffer.from('\x00\x01server_version_num\0'), Buffer.alloc(18)])
  const row = Buffer.from(`\x00\x01\x00\x00\x00${String.fromCharCode(version.length)}${version}`)
  return Buffer.concat([
    reply('T', column),
    reply('D', row),
    reply('C', Buffer.from('SHOW\0')),
    reply('Z', Buffer.from('I')),
  ])
}
