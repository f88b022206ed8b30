import type { ByteRange } from '../storage/storage.ts'

/** Returns whether the list contains the tag, by the weak comparison of `If-None-Match` (RFC 9110 13.1.2). */
export function matchesETag(etag: string, list: string | undefined): boolean {
  if (list === undefined) return false
  const tags: string[] = list.match(/"[^"]*"/g) ?? []
  return list.trim() === '*' || tags.includes(etag)
}

/** Returns the requested range, `unsatisfiable` if it is outside the file, or undefined for all bytes. */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  // A header that is not valid or has several ranges also requests all bytes (RFC 9110 14.2).
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') return within({ first: Math.max(0, size - Number(last)), last: size - 1 }, size)
  const range = { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  return last !== '' && Number(last) < range.first ? undefined : within(range, size)
}

function within(range: ByteRange, size: number): ByteRange | 'unsatisfiable' {
  return range.first < size && range.first <= range.last ? range : 'unsatisfiable'
}
