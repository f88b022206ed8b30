import { md5 } from '@noble/hashes/legacy.js'

const sliceBytes = 1024 * 1024

/** Returns the MD5 of a file in base64. Reads the file in slices, so that the page stays responsive. */
export async function md5Of(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = md5.create()
  for (let start = 0; start < file.size; start += sliceBytes) {
    signal.throwIfAborted()
    hash.update(new Uint8Array(await file.slice(start, start + sliceBytes).arrayBuffer()))
  }
  return btoa(String.fromCharCode(...hash.digest()))
}
