// Uploads a file to the given webhook, and prints the largest number of bytes that were in buffers.
import { createReadStream } from 'node:fs'
import { Webhook } from '../../src/sdk/index.ts'

const [url = '', path = '', size, contentMD5] = process.argv.slice(2)
let most = 0
const watching = setInterval(() => {
  // The first collection frees buffers in the background. The second one waits until they are freed.
  globalThis.gc?.()
  globalThis.gc?.()
  most = Math.max(most, process.memoryUsage().arrayBuffers)
}, 50)
const body = () => createReadStream(path)
await new Webhook(url).upload({ name: 'large.bin', body, size: Number(size), contentMD5 })
clearInterval(watching)
process.stdout.write(String(most))
