import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { imageHeadBytes, imageSizeOf } from '../../src/storage/image-size.ts'
import { contentTypeOf } from '../../src/text/content-type.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u32 = (value: number) =>
  Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const box = (type: string, ...content: Buffer[]) => {
  const inside = Buffer.concat(content)
  return Buffer.concat([u32(inside.length + 8), latin1(type), inside])
}

const png = (width: number, height: number) =>
  Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    u32(13),
    latin1('IHDR'),
    u32(width),
    u32(height),
    Buffer.alloc(9),
  ])

const gif = Buffer.from([...latin1('GIF89a'), 0x40, 0x01, 0xf0, 0x00, 0, 0, 0])

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(content.length + 2), content])
const exif = (orientation: number) => {
  const entry = Buffer.concat([u16(0x0112), u16(3), u32(1), u16(orientation), u16(0)])
  return segment(0xe1, Buffer.concat([latin1('Exif\0\0MM\0*'), u32(8), u16(1), entry, u32(0)]))
}
const jpeg = (...segments: Buffer[]) => {
  const frame = Buffer.concat([Buffer.from([8]), u16(480), u16(640), Buffer.from([1, 1, 0x11, 0])])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, segment(0xc0, frame), Buffer.alloc(20)])
}
const jfif = segment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))

const webp = Buffer.concat([
  latin1('RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0'),
  Buffer.from([0x3f, 0x01, 0, 0xef, 0, 0]),
])
const bmp = Buffer.concat([
  latin1('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'),
  Buffer.from([0x40, 0x01, 0, 0, 0xf0, 0, 0, 0]),
  Buffer.alloc(20),
])
const avif = (ipco: Buffer) =>
  Buffer.concat([
    box('ftyp', latin1('avif\0\0\0\0avifmif1')),
    box('meta', u32(0), box('hdlr', Buffer.alloc(24)), box('iprp', box('ipco', ipco))),
  ])
const ispe = box('ispe', u32(0), u32(320), u32(240))

function sizeOf(bytes: Buffer) {
  const head = bytes.subarray(0, imageHeadBytes)
  return imageSizeOf(contentTypeOf(head), head)
}

describe('the size of an image', () => {
  test.each([
    ['PNG', png(320, 240), 320, 240],
    ['GIF', gif, 320, 240],
    ['JPEG', jpeg(jfif), 640, 480],
    [
      'JPEG behind a large preview',
      jpeg(jfif, ...Array(3).fill(segment(0xe2, Buffer.alloc(60_000)))),
      640,
      480,
    ],
    ['JPEG that is rotated by 180 degrees', jpeg(exif(3)), 640, 480],
    ['JPEG that is rotated by 90 degrees', jpeg(exif(6)), 480, 640],
    ['WebP', webp, 320, 240],
    ['BMP', bmp, 320, 240],
    ['AVIF', avif(ispe), 320, 240],
  ])('of a %s is read from its header', (_what, bytes, width, height) => {
    expect(sizeOf(bytes)).toEqual({ width, height })
  })

  test.each([
    ['text', Buffer.from('GIF, a text')],
    ['a truncated PNG', png(1, 1).subarray(0, 18)],
    ['a PNG with a width of 0', png(0, 5)],
    ['a PNG with an invalid width', png(2 ** 31, 5)],
    ['a JPEG without a frame', Buffer.concat([Buffer.from([0xff, 0xd8]), jfif])],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')],
    ['TIFF', latin1('II*\0\x08\0\0\0')],
  ])('of %s is unknown', (_what, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined()
  })

  test('is found in less than 50 ms, even in hostile bytes', () => {
    const hostile = [
      Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array(60_000).fill(Buffer.from([0xff, 0xe0, 0, 2]))]),
      Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array(8000).fill(exif(9))]),
      avif(Buffer.concat(Array(10_000).fill(ispe))),
      avif(Buffer.concat(Array(10_000).fill(box('ispe')))),
      avif(Buffer.concat(Array(10_000).fill(Buffer.from([0, 0, 0, 0])))),
      ...[png(1, 1), gif, jpeg(jfif), webp, bmp, avif(ispe)].map((head) =>
        Buffer.concat([head.subarray(0, 16), randomBytes(imageHeadBytes)]),
      ),
    ]
    for (const [number, bytes] of hostile.entries()) {
      sizeOf(bytes)
      const begin = process.cpuUsage()
      sizeOf(bytes)
      const { user, system } = process.cpuUsage(begin)
      expect([number, (user + system) / 1000 < 50]).toEqual([number, true])
    }
  })

  test('of a damaged image is positive or unknown, without an exception', () => {
    for (const whole of [png(9, 9), gif, jpeg(jfif, exif(6)), webp, bmp, avif(ispe)]) {
      for (let time = 0; time < 500; time += 1) {
        const bytes = Buffer.from(whole)
        for (let change = 0; change < 3; change += 1) {
          bytes[4 + Math.floor(Math.random() * (bytes.length - 4))] = Math.floor(Math.random() * 256)
        }
        const size = sizeOf(bytes)
        if (size) expect(size.width > 0 && size.height > 0).toBe(true)
      }
    }
  })
})
