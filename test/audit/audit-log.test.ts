import { beforeAll, describe, expect, test, vi } from 'vitest'
import { eraseAuditNames } from '../../src/audit/erase-names.ts'
import { sweepAudit } from '../../src/audit/sweep-audit.ts'
import { newID } from '../../src/platform/ids.ts'
import { postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
let world: World
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  world = await makeWorld(service)
  admin = await signedIn(service, world, 'admin')
})

const operate = (name: string, input: object) => mutate(service, operatorToken, name, input, '__typename')
const entriesOf = (where: object) => world.operator.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })

const fields = `id workspaceID action outcome actor { kind id name means programID } object { id name }
  details address userAgent createdAt`

/** Reads the audit log of the world as a caller. */
async function listed(ask: Ask, filter: object = {}, { workspaceID } = world) {
  const query = `query ($id: ID!, $filter: AuditFilter) { workspace(id: $id) { auditEntries(filter: $filter, first: 100) {
    nodes { ${fields} } } } }`
  const answer = await ask(query, { id: workspaceID, filter })
  expect(answer.errors).toBeUndefined()
  return answer.data.workspace.auditEntries?.nodes
}

test('an entry names the person, the session, the object, the address and the browser', async () => {
  const { publicGroup, workspaceID } = world
  await admin.ask('mutation ($id: ID!) { joinGroup(input: { groupID: $id }) { __typename } }', {
    id: publicGroup.id,
  })
  const [entry] = await listed(admin.ask, { actions: ['joinGroup'], actorID: admin.id })
  expect(entry).toMatchObject({
    workspaceID,
    outcome: 'done',
    actor: { kind: 'user', id: admin.id, means: 'session', programID: null },
    object: { id: publicGroup.id, name: 'Builds' },
    details: '{}',
    address: '127.0.0.1',
  })
  expect(entry.actor.name).toMatch(/^Person/)
})

test('a change that fails leaves no entry, and a message leaves none', async () => {
  const before = await world.operator.db.auditEntry.count()
  expect(codesOf(await operate('deleteUser', { userID: newID('usr') }))).toEqual(['NOT_FOUND'])
  const input = { groupID: world.publicGroup.id, userIDs: [world.ada.id, newID('usr')] }
  expect(codesOf(await operate('addMembers', input))).toEqual(['INVALID_INPUT'])
  const body = { target: world.publicGroup.id, text: 'x' }
  expect((await postToWebhook(service, world.webhook.path, body)).statusCode).toBe(200)
  expect(await world.operator.db.auditEntry.count()).toBe(before)
})

describe('sign-ins', () => {
  test('leave an entry that names the account, and so does signing out', async () => {
    const { email, cookie, ask, id } = await signedIn(service, world, 'admin')
    const account = await world.operator.db.account.findUniqueOrThrow({ where: { email } })
    const headers = { cookie, ...sameOrigin }
    expect(
      (await postForm(service, '/account/sessions/end', { session: 'current' }, headers)).statusCode,
    ).toBe(303)
    const again = await signIn(service, world.operator, email)
    expect(again).not.toBe(cookie)
    const found = await listed(admin.ask, { actorID: account.id })
    const actor = { kind: 'account', id: account.id, name: email }
    expect(found).toMatchObject([
      { action: 'signIn', actor: { ...actor, means: 'link' }, workspaceID: null },
      { action: 'signOut', actor: { ...actor, means: 'session' } },
      { action: 'signIn', actor },
    ])
    expect([id, (await ask('{ me { id } }')).errors?.length]).toEqual([id, 1])
  })

  test('that are refused leave one entry a minute for each account and address', async () => {
    const { email } = await signedIn(service, world, 'member')
    const account = await world.operator.db.account.findUniqueOrThrow({ where: { email } })
    const refused = () => entriesOf({ objectID: account.id, outcome: 'refused' })
    const clock = vi.spyOn(performance, 'now')
    const startMs = performance.now() + 60_001
    try {
      clock.mockReturnValue(startMs)
      for (const password of ['wrong horse', 'wrong battery']) {
        expect((await postForm(service, '/signin', { email, password }, sameOrigin)).statusCode).toBe(403)
        expect(await refused()).toHaveLength(1)
      }
      clock.mockReturnValue(startMs + 60_001)
      await postForm(service, '/signin', { email, password: 'wrong staple' }, sameOrigin)
    } finally {
      clock.mockRestore()
    }
    const entries = await refused()
    expect(entries).toMatchObject([
      { action: 'signIn', actorKind: 'nobody', actorName: null, means: 'password', address: '127.0.0.1' },
      { action: 'signIn', workspaceID: '' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/horse|battery|staple/)
  })

  test('with a link of a deactivated account leave an entry that names the account', async () => {
    const { email } = await signedIn(service, world, 'member')
    const deactivatedAt = new Date()
    const account = await world.operator.db.account.update({ where: { email }, data: { deactivatedAt } })
    await postForm(service, await linkPathFor(world.operator, email), {}, sameOrigin)
    const entries = await entriesOf({ objectID: account.id, outcome: 'refused' })
    expect(entries).toMatchObject([{ action: 'signIn', actorKind: 'nobody', means: 'link' }])
  })

  test('of an unknown address and with a wrong link leave an entry without a name', async () => {
    const given = { email: 'nobody-knows@example.com', password: 'wrong' }
    await postForm(service, '/signin', given, sameOrigin)
    await postForm(service, '/signin/link/wrong', {}, sameOrigin)
    const entries = await entriesOf({ outcome: 'refused', action: 'signIn', objectID: null })
    expect(entries.map(({ means }) => means)).toEqual(['password'])
    expect(JSON.stringify(entries)).not.toContain('nobody-knows')
  })

  test('with a wrong operator token leave one entry a minute', async () => {
    for (const token of ['skop_wrong', 'skop_other']) {
      const headers = { authorization: `Bearer ${token}` }
      const request = {
        method: 'POST',
        url: '/operator/graphql',
        headers,
        payload: { query: '{ __typename }' },
      } as const
      expect((await service.app.inject(request)).statusCode).toBe(401)
    }
    const entries = await entriesOf({ action: 'useOperatorToken' })
    expect(entries).toMatchObject([{ outcome: 'refused', actorKind: 'nobody', means: 'operatorToken' }])
    expect(JSON.stringify(entries)).not.toContain('skop_')
    const warnings = service.log.filter((line) => line.includes('a wrong operator token was refused'))
    expect(warnings).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('shows the changes of its workspace to admins and the operator, the newest first', async () => {
    const other = await makeWorld(service)
    await mutate(
      service,
      operatorToken,
      'createGroup',
      { workspaceID: other.workspaceID, name: 'Theirs' },
      '__typename',
    )
    await operate('createGroup', { workspaceID: world.workspaceID, name: 'First' })
    await operate('createGroup', { workspaceID: world.workspaceID, name: 'Second' })
    const names = (nodes: { object: { name: string } }[]) => nodes.map(({ object }) => object.name)
    for (const ask of [
      admin.ask,
      (query: string, input?: object) => service.graphql(operatorToken, query, input),
    ])
      expect(names(await listed(ask, { actions: ['createGroup'] })).slice(0, 2)).toEqual(['Second', 'First'])
    const query =
      '{ auditEntries(filter: { actions: ["createGroup"] }, first: 3) { nodes { object { name } } } }'
    const all = await service.graphql(operatorToken, query)
    expect(names(all.data.auditEntries.nodes)).toEqual(['Second', 'First', 'Theirs'])
  })

  test('pages through the entries of the workspace and of its people in one order', async () => {
    const read = async (args: string) => {
      const query = `{ workspace(id: "${world.workspaceID}") { auditEntries(${args}) { nodes { id } pageInfo { endCursor hasNextPage } } } }`
      return (await admin.ask(query)).data.workspace.auditEntries
    }
    const all = (await read('first: 100')).nodes
    const paged: object[] = []
    for (let after = ''; ; ) {
      const page = await read(`first: 2${after}`)
      paged.push(...page.nodes)
      if (!page.pageInfo.hasNextPage) break
      after = `, after: "${page.pageInfo.endCursor}"`
    }
    expect(paged).toEqual(all)
    expect(all.length).toBeGreaterThan(4)
  })

  test('hides private groups from admins who are not in them', async () => {
    const input = { workspaceID: world.workspaceID, name: 'Secret plans', isPrivate: true }
    expect((await operate('createGroup', input)).errors).toBeUndefined()
    expect(JSON.stringify(await listed(admin.ask))).not.toContain('Secret plans')
    expect(JSON.stringify(await entriesOf({ workspaceID: world.workspaceID }))).toContain('Secret plans')
  })

  test('is null for members, apps and people of other workspaces', async () => {
    const member = await signedIn(service, world, 'member')
    expect(await listed(member.ask)).toBeUndefined()
    expect(await listed((query, input) => service.graphql(world.app.token, query, input))).toBeUndefined()
    const query = `{ auditEntries { nodes { id } } }`
    expect((await admin.ask(query)).errors).toHaveLength(1)
  })

  test('refuses an unknown action', async () => {
    const query = `{ workspace(id: "${world.workspaceID}") { auditEntries(filter: { actions: ["steal"] }) { nodes { id } } } }`
    expect(codesOf(await admin.ask(query))).toEqual(['INVALID_INPUT'])
  })
})

describe('an entry', () => {
  const run = (sql: string, ...values: unknown[]) => {
    const { db } = world.operator
    return db.$executeRawUnsafe(sql, ...values)
  }
  const cannotChange = expect.objectContaining({
    message: expect.stringContaining('audit log cannot be changed'),
  })

  test.each([
    ['a new action', "UPDATE audit_entries SET action = 'x' WHERE workspace_id = $1"],
    ['a later end', 'UPDATE audit_entries SET expires_at = now() WHERE workspace_id = $1'],
    ['another name', "UPDATE audit_entries SET object_name = 'x' WHERE workspace_id = $1"],
    [
      'no name, without an entry that says so',
      'UPDATE audit_entries SET object_name = NULL WHERE workspace_id = $1',
    ],
    ['a deletion before its end', 'DELETE FROM audit_entries WHERE workspace_id = $1'],
  ])('cannot get %s', async (_what, sql) => {
    await expect(run(sql, world.workspaceID)).rejects.toEqual(cannotChange)
  })

  test('cannot be removed with all others', async () => {
    await expect(run('TRUNCATE audit_entries')).rejects.toEqual(cannotChange)
  })

  test('is deleted by the sweep when its time is over, and not before', async () => {
    const [old, kept] = [newID('aud'), newID('aud')]
    for (const [id, days] of [
      [old, -1],
      [kept, 1],
    ])
      await run(
        `INSERT INTO audit_entries (workspace_id, id, expires_at, action, actor_kind, means)
         VALUES ($1, $2, now() + make_interval(days => $3::integer), 'createUser', 'operator', 'cli')`,
        world.workspaceID,
        id,
        days,
      )
    await sweepAudit(world.operator.db)
    expect(await entriesOf({ id: { in: [old, kept] } })).toMatchObject([{ id: kept }])
  })

  test('loses the names of a person who is erased, and another entry says so', async () => {
    const person = await signedIn(service, world, 'member')
    const account = await world.operator.db.account.findUniqueOrThrow({ where: { email: person.email } })
    const ids = [person.id, account.id]
    const text = async () =>
      JSON.stringify(await entriesOf({ OR: [{ objectID: { in: ids } }, { actorID: { in: ids } }] }))
    expect(await text()).toContain(person.email)
    const count = await eraseAuditNames(world.operator, { ids, email: person.email })
    expect(count).toBeGreaterThan(1)
    expect(await text()).not.toContain(person.email)
    expect(await text()).not.toContain('127.0.0.1')
    const erasures = await entriesOf({ action: 'eraseAuditNames' })
    expect(erasures.at(-1)).toMatchObject({ actorKind: 'operator', details: { ids } })
  })
})
