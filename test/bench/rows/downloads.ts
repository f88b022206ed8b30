import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Bench } from '../bench.ts'
import { perProcessor } from '../expectations.ts'
import type { Call } from '../load.ts'
import { newPath, startBaseline, startService } from '../processes.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import { createStore } from '../store.ts'
import { makeWorld, type World } from '../worlds.ts'

const connections = 4
const fileMebibytes = 64

export const downloads: Stage = {
  rows: [
    {
      number: '18',
      title: 'signed download of 64 MiB, 4 at once',
      subject: 'download',
      baselines: ['bare download'],
      against: 'bare Node server, from disk',
      mebibytesEach: fileMebibytes,
      atMost: 1.2,
      expect: (row) => `One processor sends about ${perProcessor(row)} files of 64 MiB a second.`,
    },
    {
      number: '18',
      title: 'growth of RSS by these downloads',
      subject: 'download',
      against: 'RSS before the run',
      mebibytesEach: fileMebibytes,
      ratio: (run) => run.cost?.grownMiB ?? Number.NaN,
      unit: 'MiB',
      atMost: 48,
      expect: (row) =>
        `The memory of the service grows by ${row.median.toFixed(0)} MiB while four files of 64 MiB are downloaded at once.`,
    },
  ],

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'downloads')
    const env = { DOWNLOAD_TTL_SECONDS: '86400' }
    const service = await startService(bench, { databaseURL: store.url, env })
    const bytes = randomBytes(fileMebibytes * 1024 * 1024)
    const path = newPath(bench, 'download.bin')
    await writeFile(path, bytes)
    const bare = await startBaseline(bench, 'download', { FILE: path })
    const link = await upload(service.url, await makeWorld(service.url), bytes)
    for (const url of [`${service.url}${link}`, `${bare.url}/file`]) await expectBytes(url, bytes)
    const load = { connections }
    return {
      download: httpContestant(bench, {
        ...load,
        servers: [service],
        store,
        counted: 'files',
        nextCall: () => downloadOf(link, bytes.length),
      }),
      'bare download': httpContestant(bench, {
        ...load,
        servers: [bare],
        nextCall: () => downloadOf('/file', bytes.length),
      }),
    }
  },
}

function downloadOf(path: string, bytes: number): Call {
  return { method: 'GET', path, bytes, check: () => 'answered' }
}

/** Uploads and posts a file through the webhook, and returns the path of the app's link to it. */
async function upload(url: string, world: World, bytes: Buffer): Promise<string> {
  const { id } = await answerOf(`${url}${world.webhookPath}/attachment`, 'PUT', bytes, {
    'content-md5': createHash('md5').update(bytes).digest('base64'),
    'x-file-name': 'backup.bin',
  })
  const json = { 'content-type': 'application/json' }
  const message = { target: world.groupID, text: 'the backup', attachments: [id] }
  await answerOf(`${url}${world.webhookPath}`, 'POST', JSON.stringify(message), json)
  const query = 'query ($id: ID!) { node(id: $id) { ... on File { url } } }'
  const asked = JSON.stringify({ query, variables: { id } })
  const headers = { ...json, authorization: `Bearer ${world.token}` }
  const { data } = await answerOf(`${url}/public/graphql`, 'POST', asked, headers)
  const link = new URL(data.node.url)
  return link.pathname + link.search
}

// biome-ignore lint/suspicious/noExplicitAny: a missing property fails the bench
async function answerOf(url: string, method: string, body: string | Buffer, headers: object): Promise<any> {
  const answer = await fetch(url, { method, body, headers: { ...headers } })
  if (!answer.ok) throw new Error(`${method} returned ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

async function expectBytes(url: string, bytes: Buffer): Promise<void> {
  const answer = await fetch(url)
  if (!Buffer.from(await answer.arrayBuffer()).equals(bytes)) throw new Error('The bytes are different')
}
