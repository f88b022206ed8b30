import { isUtf8 } from 'node:buffer'

export const contentTypes = [
  'application/gzip',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'audio/flac',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/quicktime',
  'video/webm',
] as const
export type ContentType = (typeof contentTypes)[number]

/** The number of bytes to examine. Browsers examine the same number (WHATWG MIME Sniffing, "resource header"). */
export const sniffedBytes = 1445

const signatures: [type: ContentType, ...at: [offset: number, bytes: string][]][] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBPVP8']],
  // The size of the header distinguishes a bitmap from text that begins with BM.
  ['image/bmp', [0, 'BM'], [15, '\0\0\0']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heic', [4, 'ftyphev']],
  ['image/heic', [4, 'ftypmif1']],
  ['application/pdf', [0, '%PDF-']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/zip', [0, 'PK\x05\x06']],
  ['application/gzip', [0, '\x1f\x8b\x08']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/ogg', [0, 'OggS\0']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['video/quicktime', [4, 'ftypqt  ']],
  ['video/mp4', [4, 'ftypiso']],
  ['video/mp4', [4, 'ftypmp4']],
  ['video/mp4', [4, 'ftypM4']],
  ['video/mp4', [4, 'ftypavc1']],
  ['video/mp4', [4, 'ftypdash']],
]

/** Returns the type of a file by its first bytes. Treats HTML and SVG as text, because a browser would run them. */
export function contentTypeOf(first: Buffer): ContentType {
  const head = first.subarray(0, sniffedBytes)
  const found = signatures.find(([, ...at]) => at.every(([offset, bytes]) => hasBytesAt(head, offset, bytes)))
  if (found) return found[0]
  if (hasBytesAt(head, 0, '\x1a\x45\xdf\xa3') && head.subarray(0, 64).includes('webm')) return 'video/webm'
  return isText(head, first.length > head.length) ? 'text/plain' : 'application/octet-stream'
}

function hasBytesAt(head: Buffer, offset: number, bytes: string): boolean {
  return head.toString('latin1', offset, offset + bytes.length) === bytes
}

// UTF-8 without a "binary data byte" (WHATWG MIME Sniffing). The last character may be cut.
function isText(head: Buffer, isCut: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (head.length === 0 || /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return false
  return (isCut ? [0, 1, 2, 3] : [0]).some((cut) => isUtf8(head.subarray(0, head.length - cut)))
}
