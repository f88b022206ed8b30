import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentTypeOf, contentTypes } from '../../src/text/content-type.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const box = (brand: string) => latin1(`\0\0\0\x20ftyp${brand}\0\0\0\0`)

describe('the content type of a file', () => {
  test.each([
    ['application/gzip', latin1('\x1f\x8b\x08\0\0')],
    ['application/pdf', latin1('%PDF-1.7\n')],
    ['application/zip', latin1('PK\x03\x04\x14\0')],
    ['application/zip', latin1('PK\x05\x06\0\0')],
    ['audio/flac', latin1('fLaC\0\0')],
    ['audio/mpeg', latin1('ID3\x04\0')],
    ['audio/mpeg', latin1('\xff\xfb\x90\0')],
    ['audio/ogg', latin1('OggS\0\x02')],
    ['audio/wav', latin1('RIFF\x24\0\0\0WAVEfmt ')],
    ['image/avif', box('avif')],
    ['image/bmp', latin1('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0')],
    ['image/gif', latin1('GIF89a\x01\0\x01\0')],
    ['image/gif', latin1('GIF87a\x01\0\x01\0')],
    ['image/heic', box('heic')],
    ['image/jpeg', latin1('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/png', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['image/webp', latin1('RIFF\x24\0\0\0WEBPVP8 ')],
    ['video/mp4', box('isom')],
    ['video/mp4', box('mp42')],
    ['video/quicktime', box('qt  ')],
    ['video/webm', latin1('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm')],
  ])('is %s', (type, bytes) => {
    expect(contentTypeOf(bytes)).toBe(type)
  })

  test.each([
    ['ASCII', Buffer.from('hello\r\n\tworld\f\x1b[0m')],
    ['UTF-8', Buffer.from('Grüße, 世界 😀')],
    ['HTML, which a browser would run', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG, which may hold a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a text about BM and PK', Buffer.from('BM and PK are not the beginning of an image')],
    ['a long text that is cut in a character', Buffer.from(`${'x'.repeat(1444)}é${'x'.repeat(100)}`)],
  ])('is text/plain for %s', (_what, bytes) => {
    expect(contentTypeOf(bytes)).toBe('text/plain')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(100)],
    ['Latin-1', latin1('Gr\xfc\xdfe')],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['half of a signature', latin1('\x89PN')],
    ['Matroska', latin1('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska')],
    ['a program', latin1('\x7fELF\x02\x01\x01\0')],
  ])('is application/octet-stream for %s', (_what, bytes) => {
    expect(contentTypeOf(bytes)).toBe('application/octet-stream')
  })

  test('is one of the known types for random bytes', () => {
    for (let time = 0; time < 2000; time += 1) {
      expect(contentTypes).toContain(contentTypeOf(randomBytes(time % 50)))
    }
  })
})
