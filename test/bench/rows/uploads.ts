import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, output } from '../bench.ts'
import { perProcessor } from '../expectations.ts'
import type { Call } from '../load.ts'
import { newPath, startBaseline, startService } from '../processes.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import { createStore } from '../store.ts'
import { makeWorld } from '../worlds.ts'

const mebibyte = 1024 * 1024
const chunkBytes = mebibyte / 4
const connections = 4
const fileMebibytes = 64

export const uploads: Stage = {
  rows: [
    {
      number: '10',
      title: 'upload of 64 MiB files, 4 at once',
      subject: 'upload',
      baselines: ['bare upload'],
      against: 'bare Node server, to disk with MD5',
      mebibytesEach: fileMebibytes,
      atMost: 2,
      expect: (row) => `One processor receives about ${perProcessor(row)} files of 64 MiB a second.`,
    },
    {
      number: '10',
      title: 'growth of RSS by these uploads',
      subject: 'upload',
      against: 'RSS before the run',
      mebibytesEach: fileMebibytes,
      ratio: (run) => run.cost?.grownMiB ?? Number.NaN,
      unit: 'MiB',
      atMost: 48,
      expect: (row) =>
        `The memory of the service grows by ${row.median.toFixed(0)} MiB while four files of 64 MiB are uploaded at once.`,
    },
  ],

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'uploads')
    const folders = { service: newPath(bench, 'service'), bare: newPath(bench, 'bare') }
    await mkdir(folders.bare)
    const service = await startService(bench, { databaseURL: store.url, dataDir: folders.service })
    const bare = await startBaseline(bench, 'upload', { FOLDER: folders.bare })
    const world = await makeWorld(service.url)
    const nextUpload = fileMaker(`${world.webhookPath}/attachment`)
    const load = { connections, nextCall: nextUpload }
    return {
      upload: httpContestant(bench, {
        ...load,
        servers: [service],
        store,
        counted: 'files',
        before: () => emptyFolder(join(folders.service, 'files')),
      }),
      'bare upload': httpContestant(bench, {
        ...load,
        servers: [bare],
        before: () => emptyFolder(folders.bare),
      }),
    }
  },
}

/** The files differ only at their end. Therefore the MD5 of the common part can be computed before the measurement. */
function fileMaker(path: string): () => Call {
  const shared = randomBytes(fileMebibytes * mebibyte - 16)
  const md5 = createHash('md5').update(shared)
  let files = 0
  return () => {
    const end = Buffer.from(String(files++).padStart(16, '0'))
    return {
      method: 'PUT',
      path,
      headers: {
        'content-length': String(shared.length + end.length),
        'content-md5': md5.copy().update(end).digest('base64'),
        'x-file-name': 'backup.bin',
      },
      body: chunksOf(shared, end),
      check: (answer) => {
        if (!/^fil_[0-9A-Za-z]{27}$/.test((answer as { id: string }).id)) throw new Error('No file ID')
        return 'made'
      },
    }
  }
}

async function* chunksOf(shared: Buffer, end: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < shared.length; at += chunkBytes) yield shared.subarray(at, at + chunkBytes)
  yield end
}

/** Pending writes of one run would slow down the next. */
async function emptyFolder(folder: string): Promise<void> {
  await output('find', [folder, '-type', 'f', '-delete'])
  await output('sync', [])
}
