import { Buffer } from 'node:buffer'
import { decrypt, type EncryptionKeys, encrypt } from '../../platform/secrets/encryption.ts'
import { redact } from './redact.ts'
import type { CallContent } from './webhook-call.ts'

/** What was sent, without its secrets. Only the beginning of a long body is stored. */
export type StoredContent = CallContent & { isCut: boolean }

const maxBodyBytes = 64 * 1024
const form = 'application/x-www-form-urlencoded'

/** Returns what is stored of a query and a body, encrypted. Without keys, nothing is stored. */
export function encodeContent(
  { query, contentType, body }: CallContent,
  id: string,
  keys: EncryptionKeys | undefined,
): Buffer | null {
  if (!keys) return null
  const start = firstBytes(body, maxBodyBytes)
  const stored: StoredContent = {
    query: redact(firstBytes(query, maxBodyBytes), form),
    contentType,
    body: redact(start, contentType),
    isCut: start.length < body.length,
  }
  return encrypt(JSON.stringify(stored), id, keys)
}

/** Returns null if the content was encrypted with a key that is no longer configured. */
export function decodeContent(
  bytes: Uint8Array,
  id: string,
  keys: EncryptionKeys | undefined,
): StoredContent | null {
  try {
    return keys ? (JSON.parse(decrypt(bytes, id, keys)) as StoredContent) : null
  } catch {
    return null
  }
}

/** Returns the whole characters that fit into this many bytes. */
function firstBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(max)).read)
}
