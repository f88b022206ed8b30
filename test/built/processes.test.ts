import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onServer, urlOf } from '../support/global-setup.ts'
import { type RunningProcess, repository, startProcess } from '../support/process.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''
const token = 'an-operator-token-for-two-processes-0123456789'

const migrationsOf = (entries: string[]) => entries.filter((entry) => /^\d/.test(entry)).sort()

// Only one process can use the embedded database.
describe.runIf(serverURL)('three processes on one PostgreSQL server', () => {
  const name = `skein_processes_${process.pid}`
  let processes: RunningProcess[] = []
  let webhookPath = ''
  let groupID = ''
  let webhookID = ''
  let workspaceID = ''

  beforeAll(async () => {
    await onServer(serverURL, `CREATE DATABASE ${name}`)
    const env = { DATABASE_URL: urlOf(serverURL, name), OPERATOR_TOKEN: token }
    processes = await Promise.all([startProcess(env), startProcess(env), startProcess(env)])
    const [first] = processes
    if (!first) throw new Error('No process has started')
    await fetch(`${first.url}/operator/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { createStarterWorkspace { path } }' }),
    })
    const starter = JSON.parse(await readFile(join(first.dataDir, 'starter.json'), 'utf8'))
    webhookPath = new URL(starter.webhookURL).pathname
    groupID = starter.groupID
    workspaceID = starter.workspaceID
    webhookID = webhookPath.split('/')[2] ?? ''
  })
  afterAll(async () => {
    await Promise.all(processes.filter(({ child }) => child.signalCode === null).map((one) => one.stop()))
    await onServer(serverURL, `DROP DATABASE ${name} WITH (FORCE)`)
  })

  type Answer = { status: number; messageID: string; threadID: string; created: boolean }

  function race(body: object): Promise<Answer[]> {
    const calls = Array.from({ length: 100 }, (_, call) =>
      post(processes[call % processes.length], { target: groupID, text: `call ${call}`, ...body }),
    )
    return Promise.all(calls)
  }

  test('start at the same time on an empty database, and apply each migration once', async () => {
    const rows = await onServer(urlOf(serverURL, name), 'SELECT migration_name FROM _prisma_migrations')
    const names = rows.map((row) => row.migration_name)
    expect(names).toEqual(await readdir(join(repository, 'prisma/migrations')).then(migrationsOf))
  })

  test('create one message for a hundred concurrent calls with the same uniqueBy', async () => {
    const answers = await race({ uniqueBy: 'race' })
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(answers.map(({ messageID }) => messageID)).size).toBe(1)
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
  })

  test('create one thread for a hundred concurrent calls with the same threadBy', async () => {
    const answers = await race({ threadBy: 'race', threadSubject: 'Race' })
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const [thread, ...others] = new Set(answers.map(({ threadID }) => threadID))
    expect(others).toEqual([])
    const sql = `SELECT count(*)::int AS count, max(position) AS last FROM messages WHERE thread_id = '${thread}'`
    expect(await onServer(urlOf(serverURL, name), sql)).toEqual([{ count: 100, last: 100 }])
  })

  test('do not deadlock when they write to the same threads in different orders', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `circle ${index}`)
    const bodies = Array.from({ length: 600 }, (_, call) => ({
      target: groupID,
      text: `call ${call}`,
      threadSubject: 'Circle',
      threadBy: keys[(call * 7 + (call % 3) * 11) % keys.length],
      uniqueBy: call % 2 === 0 ? `key ${call % 10}` : undefined,
    }))
    const answers = await Promise.all(bodies.map((body, call) => post(processes[call % 3], body)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const created = answers.filter((answer) => answer.created).length
    const threadIDs = [...new Set(answers.map(({ threadID }) => threadID))]
    expect(threadIDs).toHaveLength(20)
    const sql = `SELECT sum(count)::int AS count, bool_and(count = last) AS gapless FROM (
      SELECT count(*) AS count, max(position) AS last FROM messages
      WHERE thread_id IN ('${threadIDs.join("','")}') GROUP BY thread_id) AS threads`
    expect(await onServer(urlOf(serverURL, name), sql)).toEqual([{ count: created, gapless: true }])
  })

  test('refuse a webhook that another process disabled, even right after it was used', async () => {
    const [first, ...others] = processes
    const operate = (mutation: string) =>
      fetch(`${first?.url}/public/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          query: `mutation { ${mutation}(input: { webhookID: "${webhookID}" }) { webhook { id } } }`,
        }),
      })
    for (let turn = 0; turn < 5; turn += 1) {
      for (const one of others) expect((await post(one, { target: groupID, text: 'on' })).status).toBe(200)
      await operate('disableWebhook')
      for (const one of others) expect((await post(one, { target: groupID, text: 'off' })).status).toBe(404)
      for (const one of others) expect((await post(one, { target: groupID, text: '' })).status).toBe(404)
      await operate('enableWebhook')
    }
  })

  test('obey settings and keys that another process changed, even right after the webhook was used', async () => {
    const [first, ...others] = processes
    const operate = async (name: string, input: object, selection = 'webhook { id }') => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
      const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
      const answer = await fetch(`${first?.url}/operator/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { input: { webhookID, ...input } } }),
      })
      return ((await answer.json()) as { data: { [name: string]: { url: string } } }).data[name]
    }
    const statuses = async (body: object) =>
      new Set(await Promise.all(others.map(async (one) => (await post(one, { text: 'x', ...body })).status)))
    for (let turn = 0; turn < 5; turn += 1) {
      await operate('updateWebhook', { defaultTarget: null, allowedTargets: [] })
      expect([await statuses({ target: groupID }), await statuses({})]).toEqual([
        new Set([200]),
        new Set([400]),
      ])
      await operate('updateWebhook', { defaultTarget: groupID })
      expect(await statuses({})).toEqual(new Set([200]))
      const general = { defaultTarget: null, allowedTargets: [workspaceID] }
      await operate('updateWebhook', general)
      expect(await statuses({ target: groupID })).toEqual(new Set([403]))
    }
    await operate('updateWebhook', { defaultTarget: null, allowedTargets: [] })
    const rotated = await operate('rotateWebhookKey', { overlapHours: 1 }, 'url')
    expect(await statuses({ target: groupID })).toEqual(new Set([200]))
    await operate('endPreviousWebhookKey', {})
    expect(await statuses({ target: groupID })).toEqual(new Set([404]))
    webhookPath = new URL(rotated?.url ?? '').pathname
    expect(await statuses({ target: groupID })).toEqual(new Set([200]))
  })

  test('neither lose nor duplicate acknowledged messages when one process is killed', async () => {
    const [first, second] = processes
    const keys: string[] = []
    let running = true
    const writer = async (one: RunningProcess | undefined, number: number) => {
      for (let call = 0; running; call += 1) {
        const text = `killed ${number} ${call}`
        const answer = await post(one, { target: groupID, text }).catch(() => undefined)
        if (answer?.status === 200) keys.push(text)
        if (!answer) return
      }
    }
    const writers = Array.from({ length: 20 }, (_, number) => writer(number < 10 ? first : second, number))
    await expect.poll(() => keys.length).toBeGreaterThan(20)
    first?.child.kill('SIGKILL')
    const before = keys.length
    await expect.poll(() => keys.length).toBeGreaterThan(before + 20)
    running = false
    await Promise.all(writers)
    const url = urlOf(serverURL, name)
    const stored = await onServer(url, "SELECT text FROM messages WHERE text LIKE 'killed %'")
    const texts = stored.map(({ text }) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(keys.filter((key) => !texts.includes(key))).toEqual([])
    const gaps = `SELECT t.id FROM threads t LEFT JOIN messages m ON m.workspace_id = t.workspace_id AND m.thread_id = t.id
      GROUP BY t.workspace_id, t.id HAVING count(m.id) <> t.last_position OR coalesce(max(m.position), 0) <> t.last_position`
    expect(await onServer(url, gaps)).toEqual([])
  })

  async function post(one: RunningProcess | undefined, body: object): Promise<Answer> {
    const answer = await fetch(`${one?.url}${webhookPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, ...((await answer.json()) as object) } as Answer
  }
})
