import { readFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { wholeMessages, wireMessage } from './wire-messages.ts'

/** The folder of the database, or a dump to load into memory. */
export type EmbeddedSource = { folder: string } | { dumpFile: string }

/** The thread is sent the port of each new connection, and `close` at the end. */
export type ToThread = MessagePort | 'close'

/** The thread says that the database is open, or why it could not be opened, or why it had to stop. */
export type FromThread = 'open' | { failure: string } | { panic: string }

// PGlite has one session. PostgreSQL would end it together with its connection.
const endSession = Buffer.concat([
  wireMessage('S'),
  wireMessage('Q', 'ROLLBACK'),
  wireMessage('Q', 'DISCARD ALL'),
])

// By default PGlite takes 128 MB. What is not in there, the kernel has in its cache of files.
const settings = ['-c', 'shared_buffers=32MB']

let complaint: string | undefined
let current: MessagePort | undefined

const pglite = await open(workerData as EmbeddedSource).catch((error: unknown) => {
  tell({ failure: reasonOf(error) })
})
if (pglite) {
  parentPort?.on('message', (message: ToThread) => {
    if (message !== 'close') return serve(pglite, message)
    void pglite.close().finally(() => process.exit())
  })
  tell('open')
}

async function open(source: EmbeddedSource): Promise<PGlite> {
  const options = { onStderr, startParams: [...PGlite.defaultStartParams, ...settings] }
  if ('folder' in source) return PGlite.create(source.folder, options)
  const loadDataDir = new Blob([new Uint8Array(await readFile(source.dumpFile))])
  return PGlite.create({ ...options, loadDataDir })
}

function onStderr(line: string): boolean {
  // On a panic, such as a full disk under its log, PostgreSQL starts again from its log. PGlite spins for ever instead.
  if (/PANIC: |^Aborted/.test(line)) end(line)
  if (line.includes('FATAL: ')) complaint = line
  return false
}

/** From now on answers this connection, and no longer the one before. */
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

/** Holds the thread until the messages are answered. */
function run(pglite: PGlite, messages: Uint8Array): Uint8Array<ArrayBuffer> {
  const answers: Uint8Array[] = []
  const onRawData = (bytes: Uint8Array) => void answers.push(bytes.slice())
  pglite
    .execProtocolRawStream(messages, { syncToFs: false, onRawData })
    .catch((error: unknown) => end(reasonOf(error)))
  return new Uint8Array(Buffer.concat(answers))
}

/** What PostgreSQL said before it gave up, or what PGlite threw. */
function reasonOf(error: unknown): string {
  return complaint ?? (error instanceof Error ? error.message : String(error))
}

function end(reason: string): never {
  tell({ panic: reason })
  process.exit(1)
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message)
}
