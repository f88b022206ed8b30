import { md5 } from '@noble/hashes/legacy.js'
import { check, is } from './check-options.ts'
import type { CallOptions } from './http.ts'

/** A file to upload. */
export type Upload = {
  /** The name to show; no path. */
  name: string
  /**
   * The bytes. For large files a function that begins to read them, such as `() => createReadStream(path)`, of which
   * little is in memory at a time; it is called for the MD5 and for each attempt. Browsers send bytes and Blobs only.
   */
  body: Uint8Array | Blob | (() => AsyncIterable<Uint8Array>)
  /** The MD5 in base64, where it is known: then the bytes are not read for it. */
  contentMD5?: string
  /** The number of bytes, where it is known with the MD5 of what a function reads. */
  size?: number
}

const chunkBytes = 2 ** 20
const noBody =
  'body must be a Uint8Array, a Blob, or a function that returns an async iterable of Uint8Arrays.'
// Node's fetch keeps a copy of all that it sends, for redirects, unless there can be none (Fetch 4.6, step 8.1).
const streamed = { method: 'PUT', duplex: 'half', redirect: 'error', window: null }

/** An upload may take longer than another call. */
export const uploadOptions: CallOptions = { attemptTimeoutMs: 300_000, timeoutMs: 900_000 }

/** What is to be known of a file before it is sent, and its request, made anew for each attempt. */
export type ReadUpload = {
  contentMD5: string
  size: number
  request: (headers: Record<string, string>) => RequestInit
}

/** Reads a file for its MD5 and size, unless they are known. Throws TypeError for what is no file, and what reading it throws. */
export async function readUpload(file: Upload, signal: AbortSignal | undefined): Promise<ReadUpload> {
  check({ file }, { file: is.object })
  const { name, body, contentMD5 } = file
  check({ name }, { name: is.string })
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

/** Begins when the first bytes are asked for: a stream that fails before anyone listens to it would end the process. */
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
