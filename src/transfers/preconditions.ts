import type { Range } from '../platform/storage.ts'

/** Whether a list of entity tags names this one (`If-None-Match`, RFC 9110 13.1.2, which compares weakly). */
export function isNamed(etag: string, list: string | undefined): boolean {
  if (list === undefined) return false
  const tags: string[] = list.match(/"[^"]*"/g) ?? []
  return list.trim() === '*' || tags.includes(etag)
}

/**
 * The part that a header asks for; `none` where there is no such part; undefined for all bytes, which is also what is
 * answered to several parts at once and to what is no range, as RFC 9110 14.2 allows.
 */
export function readRange(header: string | undefined, size: number): Range | 'none' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') return within({ first: Math.max(0, size - Number(last)), last: size - 1 }, size)
  const range = { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  return last !== '' && Number(last) < range.first ? undefined : within(range, size)
}

function within(range: Range, size: number): Range | 'none' {
  return range.first < size && range.first <= range.last ? range : 'none'
}
