import { imageSize } from 'image-size'

/** How many of the first bytes are looked at: a photograph has its size behind previews and a colour profile. */
export const imageHeadBytes = 256 * 1024

/** What the reader is given at most, besides the notes of a camera: what is made for it may cost it the square of that. */
const readBytes = 8 * 1024

const readable = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/webp',
]

/** Rotations and reflections (EXIF) that lay an image on its side. */
const firstSideways = 5

/** The reader looks for the frame after a first segment, whatever that is. */
const emptySegment = Buffer.from([0xff, 0xe0, 0x00, 0x02])

type Size = { width: number; height: number }

/** Width and height of an image as it is shown, from its first bytes; undefined where they do not say. */
export function imageSizeOf(contentType: string, first: Buffer): Size | undefined {
  if (!readable.includes(contentType)) return undefined
  try {
    const {
      width,
      height,
      orientation = 1,
    } = imageSize(contentType === 'image/jpeg' ? withoutPreviews(first) : apart(first.subarray(0, readBytes)))
    if (!isSide(width) || !isSide(height)) return undefined
    return orientation >= firstSideways ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

function isSide(length: number): boolean {
  return Number.isInteger(length) && length > 0 && length < 2 ** 31
}

/** A JPEG without the segments of applications before its frame, but with the first one that says how it lies. */
function withoutPreviews(jpeg: Buffer): Buffer {
  const kept = [jpeg.subarray(0, 2), emptySegment]
  let at = 2
  while (isApplicationSegment(jpeg, at)) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    const isCamera = jpeg.toString('latin1', at + 4, at + 8) === 'Exif'
    if (isCamera && kept.length === 2) kept.push(jpeg.subarray(at, end))
    at = end
  }
  return apart(...kept, jpeg.subarray(at, at + readBytes))
}

/** APP0 to APP15, or a comment (ITU T.81, B.2.4). */
function isApplicationSegment(jpeg: Buffer, at: number): boolean {
  const marker = jpeg[at + 1] ?? 0
  return at + 4 <= jpeg.length && jpeg[at] === 0xff && ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe)
}

/** The reader looks beyond the end of a part of something larger. */
function apart(...parts: Buffer[]): Buffer {
  const whole = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) at += part.copy(whole, at)
  return whole
}
