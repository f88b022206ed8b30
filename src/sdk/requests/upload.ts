import { md5 } from '@noble/hashes/legacy.js'
import type { CallOptions } from './http.ts'

/** A file to upload. */
export type Upload = {
  /** The name to show, without a path. */
  name: string
  /**
   * The bytes. For a large file, give a function such as `() => createReadStream(path)`, which needs little memory. The
   * client calls it for the MD5 and for each attempt. Browsers can only send bytes and Blobs.
   */
  body: Uint8Array | Blob | (() => AsyncIterable<Uint8Array>)
  /** The MD5 in base64, if it is known. It saves one read of the bytes. For a function, also give the `size`. */
  contentMD5?: string
  /** The number of bytes that a function reads. It has an effect only together with `contentMD5`. */
  size?: number
}

const chunkBytes = 2 ** 20
const noBody =
  'body must be a Uint8Array, a Blob, or a function that returns an async iterable of Uint8Arrays.'
// Node's fetch keeps a copy of all that it sends, unless redirects are impossible (Fetch 4.6, step 8.1).
const streamed = { method: 'PUT', duplex: 'half', redirect: 'error', window: null }

export const uploadOptions: CallOptions = { attemptTimeoutMs: 300_000, timeoutMs: 900_000 }

export type ReadUpload = {
  contentMD5: string
  size: number
  request: (headers: Record<string, string>) => RequestInit
}

/** Reads a file to compute its MD5 and size, unless they are known. Also throws any error from reading the file. */
export async function readUpload(file: Upload, signal: AbortSignal | undefined): Promise<ReadUpload> {
  const { body, contentMD5 } = file
  const source = body instanceof Uint8Array ? new Blob([body as Uint8Array<ArrayBuffer>]) : body
  if (!(source instanceof Blob) && typeof source !== 'function') throw new TypeError(noBody)
  const size = source instanceof Blob ? source.size : file.size
  const known = contentMD5 !== undefined && size !== undefined ? { contentMD5, size } : undefined
  const measured = known ?? (await measure(source instanceof Blob ? chunksOf(source) : begin(source), signal))
  const request = (headers: Record<string, string>) => {
    if (source instanceof Blob) return { method: 'PUT', headers, body: source }
    const withLength = { ...headers, 'content-length': String(measured.size) }
    return { ...streamed, headers: withLength, body: begin(source) } as unknown as RequestInit
  }
  return { size: measured.size, contentMD5: contentMD5 ?? measured.contentMD5, request }
}

/** Starts to read only on demand, because a stream that fails before it has a listener would end the process. */
async function* begin(source: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source()
  if (typeof Object(chunks)[Symbol.asyncIterator] !== 'function') throw new TypeError(noBody)
  yield* chunks
}

async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += chunkBytes) {
    yield new Uint8Array(await blob.slice(at, at + chunkBytes).arrayBuffer())
  }
}

async function measure(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  const hash = md5.create()
  let size = 0
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    hash.update(chunk)
    size += chunk.byteLength
  }
  return { contentMD5: btoa(String.fromCharCode(...hash.digest())), size }
}
