import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// Row 10: the cost of streaming a body to a file with its MD5, without syncing the file.
const folder = process.env.FOLDER ?? ''
let files = 0

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method !== 'PUT') return response.end('{}')
  const md5 = createHash('md5')
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(request, measure, createWriteStream(join(folder, `${files++}`), { flags: 'wx' }))
  const matches = md5.digest('base64') === request.headers['content-md5']
  response.statusCode = matches ? 200 : 400
  return response.end(JSON.stringify({ id: `fil_${String(files).padStart(27, '0')}` }))
})
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.PORT), '127.0.0.1')
