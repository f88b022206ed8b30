import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onServer, urlOf } from './support/global-setup.ts'
import { type RunningProcess, repository, startProcess } from './support/process.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''
const token = 'an-operator-token-for-two-processes-0123456789'

const migrationsOf = (entries: string[]) => entries.filter((entry) => /^\d/.test(entry)).sort()

// The embedded database lets one process in.
describe.runIf(serverURL)('three processes on one PostgreSQL', () => {
  const name = `skein_processes_${process.pid}`
  let processes: RunningProcess[] = []
  let webhookPath = ''
  let groupID = ''

  beforeAll(async () => {
    await onServer(serverURL, `CREATE DATABASE ${name}`)
    const env = { DATABASE_URL: urlOf(serverURL, name), OPERATOR_TOKEN: token }
    processes = await Promise.all([startProcess(env), startProcess(env), startProcess(env)])
    const [first] = processes
    if (!first) throw new Error('No process has started')
    await fetch(`${first.url}/public/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { createStarterWorkspace { path } }' }),
    })
    const starter = JSON.parse(await readFile(join(first.dataDir, 'starter.json'), 'utf8'))
    webhookPath = new URL(starter.webhookURL).pathname
    groupID = starter.groupID
  })
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()))
    await onServer(serverURL, `DROP DATABASE ${name} WITH (FORCE)`)
  })

  type Answer = { status: number; messageID: string; threadID: string; created: boolean }

  function race(body: object): Promise<Answer[]> {
    const calls = Array.from({ length: 100 }, async (_, call) => {
      const answer = await fetch(`${processes[call % processes.length]?.url}${webhookPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ target: groupID, text: `call ${call}`, ...body }),
      })
      return { status: answer.status, ...((await answer.json()) as object) } as Answer
    })
    return Promise.all(calls)
  }

  test('have started at once on an empty database, which only one of them migrated', async () => {
    const rows = await onServer(urlOf(serverURL, name), 'SELECT migration_name FROM _prisma_migrations')
    const names = rows.map((row) => row.migration_name)
    expect(names).toEqual(await readdir(join(repository, 'prisma/migrations')).then(migrationsOf))
  })

  test('leave one message when a hundred calls with one uniqueBy race', async () => {
    const answers = await race({ uniqueBy: 'race' })
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(answers.map(({ messageID }) => messageID)).size).toBe(1)
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
  })

  test('leave one thread with a hundred messages when a hundred calls with one threadBy race', async () => {
    const answers = await race({ threadBy: 'race', threadSubject: 'Race' })
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const [thread, ...others] = new Set(answers.map(({ threadID }) => threadID))
    expect(others).toEqual([])
    const sql = `SELECT count(*)::int AS count, max(position) AS last FROM messages WHERE thread_id = '${thread}'`
    expect(await onServer(urlOf(serverURL, name), sql)).toEqual([{ count: 100, last: 100 }])
  })
})
