import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'

// Row 18: the cost of streaming a file to a connection, with the fastest chunk size.
const file = process.env.FILE ?? ''
const { size } = statSync(file)
const readAtOnceBytes = 256 * 1024

const server = createServer(async (request, response) => {
  if (request.url !== '/file') return response.end('{}')
  response.setHeader('content-type', 'application/octet-stream').setHeader('content-length', size)
  return pipeline(createReadStream(file, { highWaterMark: readAtOnceBytes }), response).catch(() => undefined)
})
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.PORT), '127.0.0.1')
