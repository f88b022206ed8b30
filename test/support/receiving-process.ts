// Receives endless bytes into the given directory.
import { PassThrough } from 'node:stream'
import { incomingDirectory } from '../../src/storage/incoming.ts'

const incoming = await incomingDirectory(process.argv[2] ?? '')
const bytes = new PassThrough()
setInterval(() => bytes.write('more'), 100)
await incoming.receive(bytes)
