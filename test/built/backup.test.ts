import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { packTar } from 'modern-tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommand, type RunningProcess, startProcess } from '../support/process.ts'
import { md5Of } from '../support/uploads.ts'

const folder = await mkdtemp(join(tmpdir(), 'skein-test-'))
const file = join(folder, 'skein.tar')
const text = 'the bytes of a file'

type Starter = { webhookURL: string; groupID: string; clientID: string; clientSecret: string } & {
  [name in 'workspaceID' | 'redirectURI' | 'operatorToken']: string
}

/** Runs an operator command, and returns what it printed. */
function admin(words: string[], dataDir = folder) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [...adminCommand, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

async function refusal(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(words)
  expect([code, stdout]).toEqual([1, ''])
  return stderr
}

async function starterOf({ dataDir }: RunningProcess): Promise<Starter> {
  return JSON.parse(await readFile(join(dataDir, 'starter.json'), 'utf8'))
}

describe('a backup of the running service', () => {
  let service: RunningProcess
  let starter: Starter
  let messageID = ''
  const post = async (body: object) => {
    const url = service.url + new URL(starter.webhookURL).pathname
    const headers = { 'content-type': 'application/json' }
    const message = { target: starter.groupID, ...body }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
    return ((await answer.json()) as { messageID: string }).messageID
  }

  beforeAll(async () => {
    service = await startProcess()
    starter = await starterOf(service)
    const url = `${service.url}${new URL(starter.webhookURL).pathname}/attachment`
    const headers = { 'content-md5': md5Of(text), 'x-file-name': 'notes.txt' }
    const { id } = (await (await fetch(url, { method: 'PUT', headers, body: text })).json()) as { id: string }
    messageID = await post({ text: 'before the backup', attachments: [id] })
    expect(await admin(['backup', file], service.dataDir)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Taken +20.*^Stored files +1$/ms),
      stderr: expect.stringMatching(/^\d+\.\d of about \d+\.\d MiB$.*MiB, complete\n$/ms),
    })
  })
  afterAll(() => service.stop())

  test('is readable only by its owner, and leaves no other file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.startsWith('skein.tar'))).toEqual(['skein.tar'])
    expect((await stat(join(service.dataDir, 'backup.sock'))).mode & 0o777).toBe(0o600)
  })

  test('starts, when it is restored, with the messages, the files and the secrets', async () => {
    const dataDir = join(folder, 'restored')
    expect((await admin(['verify', file])).code).toBe(0)
    expect((await admin(['restore', file, dataDir])).code).toBe(0)
    const restored = await startProcess({ DATA_DIR: dataDir })
    try {
      const { clientID, clientSecret, workspaceID, redirectURI } = starter
      const body = new URLSearchParams({
        ...{ grant_type: 'client_credentials', subject: workspaceID, redirect_uri: redirectURI },
        ...{ client_id: clientID, client_secret: clientSecret },
      })
      const answer = await fetch(`${restored.url}/oauth/token`, { method: 'POST', body })
      const { access_token } = (await answer.json()) as { access_token: string }
      const found = await fetch(`${restored.url}/public/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          query: `{ node(id: "${messageID}") { ... on Message { text attachments { nodes { url } } } } }`,
        }),
      })
      const { data } = (await found.json()) as {
        data: { node: { text: string; attachments: { nodes: { url: string }[] } } }
      }
      expect(data.node.text).toBe('before the backup')
      const url = new URL(data.node.attachments.nodes[0]?.url ?? '')
      expect(await (await fetch(restored.url + url.pathname + url.search)).text()).toBe(text)
    } finally {
      await restored.stop()
    }
  })

  test('can go to a pipe', async () => {
    const piped = join(folder, 'piped.tar')
    const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir }
    const { stdout } = spawn(process.execPath, [...adminCommand, 'backup', '-'], { env })
    await pipeline(stdout, createWriteStream(piped))
    expect((await admin(['verify', piped])).code).toBe(0)
  })

  test('is not stored beside the files that it contains', async () => {
    const { code, stderr } = await admin(['backup', join(service.dataDir, 'x.tar')], service.dataDir)
    expect([code, stderr]).toEqual([1, expect.stringContaining('x.tar would be in DATA_DIR')])
    const deeper = await admin(['backup', join(service.dataDir, 'db', 'x.tar')], service.dataDir)
    expect([deeper.code, deeper.stderr]).toEqual([1, expect.stringContaining('x.tar would be in DATA_DIR')])
    expect((await admin(['backup', join(service.dataDir, 'backups', 'x.tar')], service.dataDir)).code).toBe(0)
  })

  test('is not left behind in part if its file cannot be written', async () => {
    const directory = join(folder, 'a-directory')
    await mkdir(join(directory, 'x'), { recursive: true })
    expect((await admin(['backup', directory], service.dataDir)).stderr).toContain('a-directory')
    expect((await readdir(folder)).filter((name) => name.startsWith('a-dir'))).toEqual(['a-directory'])
    expect((await admin(['backup', join(folder, 'next.tar')], service.dataDir)).code).toBe(0)
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
  })
})

describe('verify and restore refuse', () => {
  test('a backup that was cut off, is damaged, or is something else', async () => {
    const [cut, damaged, other] = ['cut', 'damaged', 'other'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await copyFile(file, cut)
    await truncate(cut, (await stat(cut)).size - 600_000)
    expect(await refusal('verify', cut)).toBe('The backup is not complete: its end is missing.\n')
    await copyFile(file, damaged)
    const handle = await open(damaged, 'r+')
    await handle.write('damage', 20_000_000)
    await handle.close()
    expect(await refusal('verify', damaged)).toMatch(/^The backup is damaged: .* db\/base\/\S+\.$/m)
    expect(await refusal('restore', damaged, join(folder, 'from-damaged'))).toContain('is damaged')
    await writeFile(other, 'x'.repeat(10_000))
    expect(await refusal('verify', other)).toBe('The file is not a backup of Skein.\n')
    expect((await readdir(folder)).filter((name) => name.startsWith('from-'))).toEqual([])
  })

  test('a file that is missing, and a directory, before they write anything', async () => {
    const missing = join(folder, 'missing.tar')
    for (const words of [['verify'], ['restore', join(folder, 'from-nothing')]]) {
      const [command = '', ...target] = words
      expect(await refusal(command, missing, ...target)).toBe(
        `The file ${missing} cannot be read (ENOENT).\n`,
      )
      expect(await refusal(command, folder, ...target)).toBe(`${folder} is a directory, not a backup.\n`)
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('from-'))).toEqual([])
  })

  test('a directory that is not empty', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'skein-test-'))
    await writeFile(join(directory, 'kept'), 'kept')
    expect(await refusal('restore', file, directory)).toContain('is not empty. Restore into a new directory.')
    expect(await readdir(directory)).toEqual(['kept'])
  })

  test.each([
    [
      'of a newer format',
      { format: 2 },
      /has format 2, but this version of Skein reads only formats up to 1\./,
    ],
    [
      'of another major version of PostgreSQL',
      { postgresql: '17.2' },
      /of PostgreSQL 17, but this version of Skein has/,
    ],
  ])('a backup %s', async (_case, change, message) => {
    const manifest = {
      ...{ format: 1, version: '0.1.0', commit: null, postgresql: '18.1', migration: 'init', bytes: 1 },
      ...{ takenAt: '2026-11-27T00:00:00.000Z', ...change },
    }
    const body = JSON.stringify(manifest)
    const header = { name: 'manifest.json', size: body.length, type: 'file' as const }
    const path = join(folder, 'changed.tar')
    await writeFile(path, await packTar([{ header, body }]))
    expect(await refusal('restore', path, join(folder, 'from-changed'))).toMatch(message)
  })

  test('an entry outside of the directory', async () => {
    const header = { name: '../outside', size: 1, type: 'file' as const }
    const path = join(folder, 'outside.tar')
    await writeFile(path, await packTar([{ header, body: 'x' }]))
    expect(await refusal('restore', path, join(folder, 'from-outside'))).toBe(
      'The file is not a backup of Skein.\n',
    )
  })
})

test('the service starts in a directory whose path is too long for a socket, and warns', async () => {
  const service = await startProcess({ DATA_DIR: join(folder, 'x'.repeat(120)), SKEIN_STARTER: 'off' })
  expect(service.output()).toContain('because DATA_DIR cannot have a socket')
  expect(await service.stop()).toBe(0)
})

test('backup without a running service says what to do', async () => {
  expect(await refusal('backup', join(folder, 'backups/none.tar'))).toMatch(
    /^No service with an embedded database runs on /,
  )
})
