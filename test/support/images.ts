/** The beginning of a PNG image of this size, as far as the service reads it. */
export function pngOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([latin1('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'), size, Buffer.alloc(9)])
}

/** The beginning of a JPEG image of this size. */
export function jpegOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  const start = latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08')
  return Buffer.concat([start, size, latin1('\x01\x01\x11\0'), Buffer.alloc(20)])
}

/** The beginning of a WebP image of this size. */
export function webpOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(6)
  size.writeUIntLE(width - 1, 0, 3)
  size.writeUIntLE(height - 1, 3, 3)
  return Buffer.concat([latin1('RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0'), size])
}

/** The beginning of a GIF image of this size. */
export function gifOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  return Buffer.concat([latin1('GIF89a'), size, Buffer.alloc(3)])
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
