import { expect, test } from 'vitest'
import { findAddresses } from '../../src/console/text/addresses.ts'

/** Returns the addresses in a text as they are written there. */
const found = (text: string) => findAddresses(text).map(({ start, end }) => text.slice(start, end))

test.each([
  ['https://example.com/path?x=1&y=2#top'],
  ['HTTP://EXAMPLE.COM/Path'],
  ['http://localhost:3000/'],
  ['http://127.0.0.1:8080/metrics'],
  ['http://[::1]:8080/a'],
  ['https://ada:secret@example.com/'],
  ['https://example.com/a-b_c~d/e+f/%20/@g/h=i/'],
  ['https://en.wikipedia.org/wiki/Skein_(unit)'],
  ['https://example.com/?ids[]=1&ids[]=2'],
  ['https://example.com/{id}/edit'],
  ["https://example.com/what's-new"],
  ['https://web.archive.org/web/2020/https://example.com/'],
  ['https://müller.example/straße'],
  ['https://例え.jp/パス'],
  ['https://uk.wikipedia.org/wiki/Київ'],
  ['https://דוגמה.example/נתיב/אחר'],
  ['https://موقع.example/مسار'],
  ['https://💩.la/🙂'],
])('%s is an address as a whole, also in a sentence', (address) => {
  expect(
    [address, `See ${address}.`, `(${address})`, `“${address}”, and`, `<${address}>`].map(found),
  ).toEqual(Array.from({ length: 5 }, () => [address]))
})

test.each([
  '.',
  ',',
  ';',
  ':',
  '!',
  '?',
  '...',
  '?!',
  "'",
  '"',
  '`',
  '*',
  '**',
  '_',
  '~~',
  '|',
  '\\',
  '…',
  '’',
  '»',
  '—which',
  '。続き',
  '、続き',
  '）',
  '؟',
  '،',
  '।',
])('"%s" after an address is not a part of it', (mark) => {
  expect(found(`https://example.com/a${mark} b`)).toEqual(['https://example.com/a'])
})

test.each([
  ['(see https://example.com/a)', 'https://example.com/a'],
  ['(see https://example.com/a).', 'https://example.com/a'],
  ['(https://example.com/a_(b))', 'https://example.com/a_(b)'],
  ['[https://example.com/a]', 'https://example.com/a'],
  ['{https://example.com/a}', 'https://example.com/a'],
  ['https://example.com/a(note', 'https://example.com/a'],
  ['https://example.com/a([b)', 'https://example.com/a'],
  ['https://example.com/a)b(c', 'https://example.com/a'],
  ['![picture](https://example.com/a.png)', 'https://example.com/a.png'],
])('in %s, a bracket without a partner is not a part of the address', (text, address) => {
  expect(found(text)).toEqual([address])
})

test.each([
  ['https://a.example,https://b.example'],
  ["['https://a.example','https://b.example']"],
  ['["https://a.example","https://b.example"]'],
  ['(https://a.example),(https://b.example)'],
  ['https://a.example|https://b.example'],
  ['https://a.example\nhttps://b.example'],
])('%s has two addresses', (text) => {
  expect(found(text)).toEqual(['https://a.example', 'https://b.example'])
})

test('an address needs no space before it', () => {
  const before = ['url=', '詳細は', 'см.', '-', '_', '>', '\u200f', '،']
  const text = before.map((letters) => `${letters}https://example.com/a`)
  expect(text.map(found)).toEqual(before.map(() => ['https://example.com/a']))
})

test('other schemes, schemes without a host, and words that only contain a scheme are no addresses', () => {
  const texts = [
    'javascript://example.com/%0aalert(1)',
    'ftp://example.com git+https://example.com xhttps://example.com 1http://example.com',
    'www.example.com example.com //example.com https:example.com https:/example.com',
    'https:// http://. https://... http:///a https://?q https://#a https://-a https://%zz',
    'http://example.com:99999999/ http://[::1',
  ]
  expect(texts.flatMap(found)).toEqual([])
})

test('a character that changes the direction of text ends an address', () => {
  for (const mark of ['\u202e', '\u2067', '\u200e', '\u061c', '\u200b'])
    expect(found(`https://example.com/${mark}gpj.exe`)).toEqual(['https://example.com/'])
})

test('the target of an address is its normalized form', () => {
  const targets = findAddresses('HTTPS://Müller.Example/ä b https://a.example').map(({ href }) => href)
  expect(targets).toEqual(['https://xn--mller-kva.example/%C3%A4', 'https://a.example/'])
})

test('a text with many beginnings of addresses takes linear time', () => {
  const parts = ['https://a(', 'https://a)/', ",'https://a", '/https://', '(https://a', "https://a'!"]
  const long = parts.map((part) => part.repeat(20_000))
  expect(long.every((text) => findAddresses(text).length <= 20_000)).toBe(true)
})
