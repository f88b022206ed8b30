import { md5 } from '@noble/hashes/legacy.js'

/** A file to upload. */
export type Upload = {
  /** The name to show; no path. */
  name: string
  /**
   * The bytes. Of a Blob, such as Node's `openAsBlob` gives, little is in memory at a time. A function is called for
   * each reading: one for the MD5, and one for each attempt; browsers take none.
   */
  body: Blob | Uint8Array | (() => ReadableStream<Uint8Array>)
  /** The MD5 in base64, where it is known: then the bytes are not read for it. */
  contentMD5?: string
  /** The number of bytes of a function's, where it and the MD5 are known. */
  size?: number
}

/** Makes the request that uploads a file, anew for each attempt. */
export async function readUpload({ name, body, ...known }: Upload): Promise<() => RequestInit> {
  // In bytes as they are now: a typed array may be changed between two attempts.
  const source = body instanceof Uint8Array ? new Blob([body as Uint8Array<ArrayBuffer>]) : body
  const { size, contentMD5 } = await measure(source, known)
  const headers = { 'x-file-name': encodeURIComponent(name.toWellFormed()), 'content-md5': contentMD5 }
  if (source instanceof Blob) return () => ({ method: 'PUT', headers, body: source })
  // Fetch knows the length of a Blob, of a stream it has to be told; and that the answer comes after it.
  return () => {
    const init = { method: 'PUT', headers: { ...headers, 'content-length': String(size) }, duplex: 'half' }
    return { ...init, body: source() } as RequestInit
  }
}

type Source = Exclude<Upload['body'], Uint8Array>

async function measure(source: Source, { size, contentMD5 }: Partial<Upload>) {
  const knownSize = source instanceof Blob ? source.size : size
  if (contentMD5 !== undefined && knownSize !== undefined) return { size: knownSize, contentMD5 }
  const hash = md5.create()
  let read = 0
  const reader = (source instanceof Blob ? source.stream() : source()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    hash.update(next.value)
    read += next.value.byteLength
  }
  return { size: read, contentMD5: btoa(String.fromCharCode(...hash.digest())) }
}
