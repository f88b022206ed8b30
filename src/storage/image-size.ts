import { imageSize } from 'image-size'

/** The number of bytes to read. In a photograph, the size comes after previews and a colour profile. */
export const imageHeadBytes = 256 * 1024

// The library gets this many bytes, plus EXIF data. A malicious file can take time quadratic in this number.
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

const firstSideways = 5

// Inserted before the other segments, because the library does not look for the frame in the first segment.
const emptySegment = Buffer.from([0xff, 0xe0, 0x00, 0x02])

type Size = { width: number; height: number }

/** Returns the width and height of an image as it is shown, or undefined if its first bytes do not contain them. */
export function imageSizeOf(contentType: string, first: Buffer): Size | undefined {
  if (!readable.includes(contentType)) return undefined
  try {
    const {
      width,
      height,
      orientation = 1,
    } = imageSize(
      contentType === 'image/jpeg' ? withoutPreviews(first) : copyOf(first.subarray(0, readBytes)),
    )
    if (!isSide(width) || !isSide(height)) return undefined
    return orientation >= firstSideways ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

function isSide(length: number): boolean {
  return Number.isInteger(length) && length > 0 && length < 2 ** 31
}

// Removes the application segments before the frame, except the first EXIF segment, which has the orientation.
function withoutPreviews(jpeg: Buffer): Buffer {
  const kept = [jpeg.subarray(0, 2), emptySegment]
  let at = 2
  while (isApplicationSegment(jpeg, at)) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    const isExif = jpeg.toString('latin1', at + 4, at + 8) === 'Exif'
    if (isExif && kept.length === 2) kept.push(jpeg.subarray(at, end))
    at = end
  }
  return copyOf(...kept, jpeg.subarray(at, at + readBytes))
}

// APP0 to APP15, or a comment (ITU T.81, B.2.4).
function isApplicationSegment(jpeg: Buffer, at: number): boolean {
  const marker = jpeg[at + 1] ?? 0
  return at + 4 <= jpeg.length && jpeg[at] === 0xff && ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe)
}

// Copies, because the library reads beyond the end of a subarray.
function copyOf(...parts: Buffer[]): Buffer {
  const whole = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) at += part.copy(whole, at)
  return whole
}
