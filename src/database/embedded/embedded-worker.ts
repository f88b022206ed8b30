import { readFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { wholeMessages, wireMessage } from './wire-messages.ts'

export type EmbeddedSource = { directory: string } | { dumpFile: string }

export type ToWorker = MessagePort | 'close'

export type FromWorker = 'open' | { failure: string } | { panic: string }

// In PostgreSQL, a session ends with its connection. PGlite has only one session, which these messages reset.
const endSession = Buffer.concat([
  wireMessage('S'),
  wireMessage('Q', 'ROLLBACK'),
  wireMessage('Q', 'DISCARD ALL'),
])

// The default of 128 MB is not needed, because the kernel caches the files too.
const settings = ['-c', 'shared_buffers=32MB']

let fatalMessage: string | undefined
let current: MessagePort | undefined

const pglite = await open(workerData as EmbeddedSource).catch((error: unknown) => {
  tell({ failure: reasonOf(error) })
})
if (pglite) {
  parentPort?.on('message', (message: ToWorker) => {
    if (message !== 'close') return serve(pglite, message)
    void pglite.close().finally(() => process.exit())
  })
  tell('open')
}

async function open(source: EmbeddedSource): Promise<PGlite> {
  const options = { onStderr, startParams: [...PGlite.defaultStartParams, ...settings] }
  if ('directory' in source) return PGlite.create(source.directory, options)
  const loadDataDir = new Blob([new Uint8Array(await readFile(source.dumpFile))])
  return PGlite.create({ ...options, loadDataDir })
}

function onStderr(line: string): boolean {
  // After a panic, for example because the disk is full, PostgreSQL restarts and recovers. PGlite would spin forever.
  if (/PANIC: |^Aborted/.test(line)) end(line)
  if (line.includes('FATAL: ')) fatalMessage = line
  return false
}

function serve(pglite: PGlite, port: MessagePort): void {
  current?.close()
  current = port
  run(pglite, endSession)
  const complete = wholeMessages()
  port.on('message', (bytes: Uint8Array) => {
    const messages = port === current ? complete(bytes) : bytes.subarray(0, 0)
    if (messages.length === 0) return
    const answer = run(pglite, messages)
    port.postMessage(answer, [answer.buffer])
  })
}

// Blocks the worker until PGlite has answered the messages.
function run(pglite: PGlite, messages: Uint8Array): Uint8Array<ArrayBuffer> {
  const answers: Uint8Array[] = []
  const onRawData = (bytes: Uint8Array) => void answers.push(bytes.slice())
  pglite
    .execProtocolRawStream(messages, { syncToFs: false, onRawData })
    .catch((error: unknown) => end(reasonOf(error)))
  return new Uint8Array(Buffer.concat(answers))
}

function reasonOf(error: unknown): string {
  return fatalMessage ?? (error instanceof Error ? error.message : String(error))
}

function end(reason: string): never {
  tell({ panic: reason })
  process.exit(1)
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}
