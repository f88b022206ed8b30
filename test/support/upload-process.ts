// Uploads a file to the webhook given, and prints how many bytes were in buffers at the most.
import { createReadStream } from 'node:fs'
import { Webhook } from '../../src/sdk/index.ts'

const [url = '', path = '', size, contentMD5] = process.argv.slice(2)
let most = 0
const watching = setInterval(() => {
  // What the first one finds is freed beside the program, and is gone for certain when the next one begins.
  globalThis.gc?.()
  globalThis.gc?.()
  most = Math.max(most, process.memoryUsage().arrayBuffers)
}, 50)
const body = () => createReadStream(path)
await new Webhook(url).upload({ name: 'large.bin', body, size: Number(size), contentMD5 })
clearInterval(watching)
process.stdout.write(String(most))
