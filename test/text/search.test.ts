import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../src/text/markdown/plain-text.ts'
import { documentOf } from '../../src/text/search/document.ts'
import { excerptOf } from '../../src/text/search/excerpt.ts'
import { matching, readQuery } from '../../src/text/search/query.ts'
import { fold, searchKey, wordsIn } from '../../src/text/search/words.ts'

const words = (text: string) => wordsIn(text).map(({ word }) => word)

describe('the words of a text', () => {
  test.each([
    ['Hello, World!', 'hello world'],
    ['snake_case and kebab-case', 'snake case and kebab case'],
    ["don't v1.2.3 10.0.0.1", 'don t v1 2 3 10 0 0 1'],
    ['**bold** `code` [label](https://example.com/a_b)', 'bold code label https example com a b'],
    ['Café CAFE\u0301 cafe', 'cafe cafe cafe'],
    ['Jo\u0303ao man\u0303ana Vie\u0323\u0302t ag\u0303ui', 'joao manana viet agui'],
    ['Łódź Đorđe Øre Æsir Œuvre Þór ısı', 'lodz dorde ore aesir oeuvre thor isi'],
    ["O’Brien O'Brien O\u02bcBrien п\u02bcять", 'o brien o brien o brien п ять'],
    [
      'Donau\u00addampf deploy\u200b\ufe0fment \u2060x \u3164 auf\u200clage',
      'donaudampf deployment x auflage',
    ],
    ['مَرْحَبًا شَيْء أَحْمَد שָׁלוֹם', 'مرحبا شيء أحمد שלום'],
    ['آخِر سُؤَال إِلَى', 'آخر سؤال إلى'],
    ['a\u0301\u200cb 1\u200d2 α\u200cβ б\u200dв ש\u200cל 한\u200c국', 'ab 12 αβ бв של 한국'],
    ['می\u200cخواهم क्\u200dष', 'می خواهم क् ष'],
    ['Straße STRASSE STRAẞE', 'strasse strasse strasse'],
    ['ｶﾞﾗｽ ﾊﾟﾝ', 'ガ ラ ス パ ン'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['İstanbul ISTANBUL', 'istanbul istanbul'],
    ['Ёлка елка Йод', 'елка елка иод'],
    ['ｆｕｌｌ ﬁle Ⅷ', 'full file viii'],
    ['한국어 \u1112\u1161\u11ab', '한국어 한'],
    ['हिन्दी में', 'हिन्दी में'],
    ['שלום עולם مرحبا', 'שלום עולם مرحبا'],
    ['東京へ行く。', '東 京 へ 行 く'],
    ['コーヒー', 'コ ー ヒ ー'],
    ['ひらがな', 'ひ ら が な'],
    ['กินข้าว', 'กิ น ข้ า ว'],
    ['ສະບາຍ', 'ສ ະ ບ າ ຍ'],
    ['ខ្មែរ', 'ខ្ មែ រ'],
    ['မြန်မာ', 'မြ န် မာ'],
    ['iOS用の版', 'ios 用 の 版'],
    ['½ liter', '12 liter'],
    ['\u{1f389} …!? \u0000', ''],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected.split(' ').filter((word) => word !== ''))
  })

  test('have their positions in the text', () => {
    const text = 'Über 東京: “fine”'
    expect(wordsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Über',
      '東',
      '京',
      'fine',
    ])
  })

  test('are cut to 64 characters, but not within a character', () => {
    expect(words('x'.repeat(500))).toEqual(['x'.repeat(64)])
    expect(words('é'.repeat(500))).toEqual(['e'.repeat(64)])
    expect(words(`x${'𝒳'.repeat(5)}`)).toEqual(['xxxxxx'])
    expect(words(`x${'𐐷'.repeat(40)}`)[0]?.isWellFormed()).toBe(true)
  })
})

test('all kinds of apostrophes are equal, and none belongs to a word', () => {
  for (const sign of "'ʹʻʼʽʾʿˈ׳‘’‛′") {
    const name = `O${sign}Brien`
    expect([sign, fold(name), ...words(name)]).toEqual([sign, "o'brien", 'o', 'brien'])
  }
})

test('Latin letters are folded as unaccent.rules of PostgreSQL has them', async () => {
  const archive = new URL('../unaccent.tar.gz', import.meta.resolve('@electric-sql/pglite/contrib/unaccent'))
  const rules = gunzipSync(await readFile(archive)).toString()
  const letters = [...rules.matchAll(/^(?=\p{L})(\p{sc=Latin})\t(.+)$/gmu)]
  expect(letters.length).toBeGreaterThan(900)
  const different = letters.filter(
    ([, letter = '', plain = '']) => words(letter).join() !== words(plain).join(),
  )
  expect(different).toEqual([])
})

test('folding a folded text changes nothing', () => {
  for (let code = 0; code < 0x3_0000; code += 1) {
    const text = String.fromCodePoint(code).toWellFormed()
    if (fold(fold(text)) !== fold(text)) expect.fail(`U+${code.toString(16)}`)
  }
})

describe('a name', () => {
  test.each([
    ['Łukasz Ångström', 'lukasz ang'],
    ['José', 'JOSE'],
    ['Ada  Marie', 'ada\nmarie'],
    ['Zoë  Marie', 'zoe\u00a0marie'],
    ['Jean-Luc Picard', 'luc p'],
    ['Jean-Luc Picard', 'jean-l'],
    ['Miles (ada)', '(a'],
    ['Shane O’Brien', "O'br"],
    ["Shane O'Brien", 'brien'],
    ['王美丽', '美丽'],
    ['さとう花子', '花'],
    ['王Anna', 'anna'],
    ['김철수', '김철'],
    ['مُحَمَّد', 'محمد'],
    ['Ann\u200ba', 'anna'],
    ['\u{1f389} Party', '\u{1f389}'],
  ])('%s is found by %s', (name, search) => {
    expect(searchKey(name)).toContain(searchKey(search))
  })

  test.each([
    ['Granada', 'ada'],
    ['Jean-Luc', 'jean luc'],
    ['김철수', '철수'],
    ['हिन्दी', 'हन'],
    ['C#', 'c++'],
  ])('%s is not found by %s', (name, search) => {
    expect(searchKey(name)).not.toContain(searchKey(search))
  })
})

describe('a query', () => {
  test.each([
    ['one two', "('one') & ('two')"],
    ['"one two" three', "('one' <-> 'two' | 'one two') & ('three')"],
    ['“one two” three', "('one' <-> 'two' | 'one two') & ('three')"],
    ['"one two', "('one' <-> 'two' | 'one two')"],
    ['"a b" c d "e f"', "('a' <-> 'b' | 'a b') & ('c') & ('d') & ('e' <-> 'f' | 'e f')"],
    ['one -"two" -"three four"', "('one') & !('two') & !('three' <-> 'four' | 'three four')"],
    ['one -two --three', "('one') & ('two') & ('three')"],
    ['one-"two"', "('one') & ('two')"],
    ['rm -rf /tmp/x', "('rm') & ('rf') & ('tmp' <-> 'x' | 'tmp x')"],
    ['from:ada', "('from' <-> 'ada' | 'from ada')"],
    ['2.10', "('2' <-> '10' | '2 10' | 'v2' <-> '10' | 'v2 10')"],
    ['"2.10"', "('2' <-> '10' | '2 10')"],
    [
      '2026-01-31',
      "('2026' <-> '01' <-> '31' | '2026 01' & '01 31' | '2026' <-> '01' <-> '31t':* | '2026 01' & '01 31t':*)",
    ],
    ['one--two - three', "('one' <-> 'two' | 'one two') & ('three')"],
    ['a b OR c d', "('a') & ('b' | 'c') & ('d')"],
    ['a OR b OR c', "('a' | 'b' | 'c')"],
    ['OR a OR', "('or') & ('a')"],
    ['OR', "('or')"],
    ['a OR -"b" c', "('a') & ('c') & !('b')"],
    ['a -"b" OR c', "('a') & ('c') & !('b')"],
    ['a OR 2.1 b', "('a' | '2' <-> '1' | '2 1' | 'v2' <-> '1' | 'v2 1') & ('b')"],
    ['a or b', "('a') & ('or') & ('b')"],
    ['pre*', "('pre':*)"],
    ['foo-ba*', "('foo' <-> 'ba':* | 'foo ba':*)"],
    ['"pre*"', "('pre')"],
    ['서버 "서버"', "('서버':*) & ('서버')"],
    ['-pre* one', "('pre':*) & ('one')"],
    ["it's 10.0.0.1", "('it' <-> 's' | 'it s') & ('10' <-> '0' <-> '0' <-> '1' | '10 0' & '0 0' & '0 1')"],
    ["O'Brien & | ! ( ) <-> :* \\ ''", "('o' <-> 'brien' | 'o brien')"],
    ['東京', "('東' <-> '京' | '東 京')"],
  ])('%s becomes %s', (text, expected) => {
    expect(
      matching(readQuery(text), '', [])
        .replaceAll('((', '(')
        .replaceAll('))', ')')
        .replaceAll(') | (', ' | '),
    ).toBe(expected)
  })

  test.each([
    '',
    ' ',
    '-"one"',
    '-"one two" -"three"',
    '"',
    '""',
    '*',
    '-',
    '-"one" OR',
    '!!!',
    '\u0000',
    '\ud800',
    '🎉',
  ])('has no search words if it is %j', (text) => {
    expect(readQuery(text).all).toEqual([])
  })

  test('of any length is parsed in less than a second of CPU time, and only its first hundred words count', () => {
    for (const text of [
      'a '.repeat(100_000),
      '-'.repeat(200_000),
      '"'.repeat(200_000),
      `"${'a '.repeat(100_000)}`,
    ]) {
      const before = process.cpuUsage()
      const { all } = readQuery(text)
      expect(all.flat().flatMap((term) => term.words).length).toBeLessThanOrEqual(100)
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
    }
    expect(readQuery('a '.repeat(1000)).all).toHaveLength(100)
    expect(
      readQuery('a* '.repeat(20))
        .all.flat()
        .filter(({ isPrefix }) => isPrefix),
    ).toHaveLength(8)
  })
})

test('a document in which PostgreSQL cannot store all word positions also has pairs of adjacent words', () => {
  const often = documentOf(['a b '.repeat(256)], '', [])
  expect(often).toBe(
    `'a':${Array.from({ length: 255 }, (_, index) => 2 * index + 1)} 'b':${Array.from({ length: 255 }, (_, index) => 2 * index + 2)} 'a b' 'b a'`,
  )
  const long = Array.from({ length: 16_383 }, (_, index) => index.toString(36))
  const document = documentOf([`${long.join(' ')} last`], '', [])
  expect(document).toContain(`'${long.at(-1)}':16383 'last' '0 1' `)
  expect(document.endsWith(` '${long.at(-1)} last'`)).toBe(true)
})

test('a document has each word once, with its positions, and then the IDs to filter by', () => {
  expect(documentOf(['To be, or not to be.'], 'X1', ['thr_1'])).toBe(
    "'X1to':1,5 'X1be':2,6 'X1or':3 'X1not':4 'thr_1'",
  )
  expect(documentOf(['To be', 'Be it'], '', [])).toBe("'to':1 'be':2,4 'it':5")
})

describe('an excerpt', () => {
  const excerpt = (text: string, query: string) => excerptOf(text, readQuery(query).all.flat())

  test.each([
    ['The quick brown fox', 'quick', 'The <mark>quick</mark> brown fox'],
    ['The quick brown fox', '"quick brown" fox', 'The <mark>quick brown</mark> <mark>fox</mark>'],
    ['quick, but not quick brown', '"quick brown"', 'quick, but not <mark>quick brown</mark>'],
    ['Deployed the deployment', 'deploy*', '<mark>Deployed</mark> the <mark>deployment</mark>'],
    ['a quick brown fox', 'quick OR "quick brown"', 'a <mark>quick brown</mark> fox'],
    ['Un Café', 'cafe', 'Un <mark>Café</mark>'],
    ['我们明天去北京开会', '北京', '我们明天去<mark>北京</mark>开会'],
    ['오늘 서버가 멈췄다', '서버', '오늘 <mark>서버가</mark> 멈췄다'],
    [
      '<b onclick="x">&amp; \'quick\'</b>',
      'quick b',
      '&lt;<mark>b</mark> onclick=&quot;x&quot;&gt;&amp;amp; &#39;<mark>quick</mark>&#39;&lt;/<mark>b</mark>&gt;',
    ],
    ['<mark>quick</mark>', 'mark', '&lt;<mark>mark</mark>&gt;quick&lt;/<mark>mark</mark>&gt;'],
    ['two\n\n  lines', 'lines', 'two <mark>lines</mark>'],
    ['nothing here', 'absent', 'nothing here'],
    ['', 'absent', ''],
  ])('of %j for %j is %j', (text, query, expected) => {
    expect(excerpt(text, query)).toBe(expected)
  })

  const filler = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

  test('of a long text has about 200 characters around most of the search words', () => {
    const text = `${filler(100)} fox ${filler(100)} quick brown fox ${filler(100)}`
    const html = excerpt(text, 'quick brown fox')
    expect(html).toContain('<mark>quick</mark> <mark>brown</mark> <mark>fox</mark>')
    expect(html).toMatch(/^… word\d+ .* word\d+ …$/)
    const shown = html.replaceAll(/<\/?mark>/g, '').length
    expect(shown).toBeGreaterThan(150)
    expect(shown).toBeLessThan(210)
  })

  test('is short and well-formed for any text', () => {
    for (const text of [
      'x'.repeat(40_000),
      '🎉'.repeat(20_000),
      `${'🎉'.repeat(500)}x${'🎉'.repeat(500)}`,
      '京'.repeat(40_000),
    ]) {
      const html = excerpt(text, 'x* OR 京')
      expect(html.replaceAll(/<\/?mark>/g, '').length).toBeLessThan(210)
      expect(html.isWellFormed()).toBe(true)
    }
  })

  test('is made from the text without its Markdown, with a bullet before each item of a list', () => {
    const source =
      '**Hello** [Ada](skein:usr_000000000000000000000000001), see [the _docs_](https://example.com):\n\n> quoted\n\n1. one\n2. `two`\n\n```js\ncode()\n```'
    expect(plainText(source, ['skein'])).toBe('Hello Ada, see the docs:\nquoted\n• one\n• two\ncode()')
  })

  test.each([
    ['Done: 1. a - b # c, see https://a.b/c=d!  ', 'Done: 1. a - b # c, see https://a.b/c=d!'],
    ['Done &amp; *said*', 'Done &amp; said'],
    ['Done\n- said', 'Done\n• said'],
    ['1. said', '• said'],
  ])('is made from a plain or formatted line: %j', (source, expected) => {
    expect(plainText(source, ['skein'])).toBe(expected)
  })
})
