import { Marked } from 'marked'
import { describe, expect, it, vi } from 'vitest'
import { isSafeURL } from '../../src/text/markdown/links.ts'
import { mentionedIDs, renderMarkdown } from '../../src/text/markdown/render-markdown.ts'
import { randomNumbers } from '../support/random-numbers.ts'

const user = 'usr_0ujsswThIGTUYm2K8FjOOfXtY1K'
const group = 'grp_0ujsswThIGTUYm2K8FjOOfXtY1K'
const general = 'wks_0ujsswThIGTUYm2K8FjOOfXtY1K'
const stranger = 'usr_0ujzPyRiIAffKhBux4PvQdDqMHY'
const names = new Map([
  [user, 'Ann <b>"A"</b> & Co'],
  [group, 'Ops'],
  [general, 'General'],
])
const ann = `<span class="mention" data-id="${user}">@Ann &lt;b&gt;&quot;A&quot;&lt;/b&gt; &amp; Co</span>`
const rel = 'rel="nofollow noopener noreferrer"'

/** Returns the HTML without the line ends after its tags, which are not visible. */
function render(source: string): string {
  return renderMarkdown(source, { schemes: ['skein'], names }).replaceAll('>\n', '>')
}

/** Returns an example whose source is shown as text, as it was typed. */
function asTyped(source: string): [string, string] {
  const text = source.replace(/[&<>"']/g, (character) => entities.get(character) ?? '')
  return [source, `<p>${text.replaceAll('\n', '<br>')}</p>`]
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

const facts: Record<string, [source: string, html: string][]> = {
  'bold takes two asterisks or two underscores': [
    ['a **b** c', '<p>a <strong>b</strong> c</p>'],
    ['a __b__ c', '<p>a <strong>b</strong> c</p>'],
    ['2**3**4', '<p>2<strong>3</strong>4</p>'],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['**a\nb**', '<p><strong>a<br>b</strong></p>'],
    asTyped('** a **'),
    asTyped('**a\n\nb').map((text) => text.replace('<br><br>', '</p><p>')) as [string, string],
    asTyped('a__b__c'),
  ],
  'italics take one asterisk or one underscore': [
    ['a *b* c', '<p>a <em>b</em> c</p>'],
    ['a _b_ c', '<p>a <em>b</em> c</p>'],
    ['_a **b** c_', '<p><em>a <strong>b</strong> c</em></p>'],
    ['*a **b***', '<p><em>a <strong>b</strong></em></p>'],
    ['**a*', '<p>*<em>a</em></p>'],
    ['*a **b*', '<p>*a *<em>b</em></p>'],
    ['*a _b* c_', '<p><em>a _b</em> c_</p>'],
    asTyped('snake_case_name'),
    asTyped('2 * 3 * 4'),
  ],
  'bold italics take three asterisks or underscores': [
    ['***a***', '<p><em><strong>a</strong></em></p>'],
    ['___a___', '<p><em><strong>a</strong></em></p>'],
    ['**_a_**', '<p><strong><em>a</em></strong></p>'],
    ['***a** b*', '<p><em><strong>a</strong> b</em></p>'],
    ['***a* b**', '<p><strong><em>a</em> b</strong></p>'],
    asTyped('***'),
  ],
  'strikethrough takes exactly two tildes': [
    ['a ~~b~~ c', '<p>a <del>b</del> c</p>'],
    ['~~a **b**~~', '<p><del>a <strong>b</strong></del></p>'],
    ['**~~a~~**', '<p><strong><del>a</del></strong></p>'],
    asTyped('a ~b~ c'),
    asTyped('a ~~~b~~~ c'),
    asTyped('~~a~'),
  ],
  'inline code takes any number of backticks and renders nothing in it': [
    ['a `b` c', '<p>a <code>b</code> c</p>'],
    ['``a ` b``', '<p><code>a ` b</code></p>'],
    ['`` `a` ``', '<p><code>`a`</code></p>'],
    ['`**a** <b> &amp; \\*`', '<p><code>**a** &lt;b&gt; &amp;amp; \\*</code></p>'],
    ['`[a](http://b.c)`', '<p><code>[a](http://b.c)</code></p>'],
    ['**a `b** c`', '<p>**a <code>b** c</code></p>'],
    ['`a\nb`', '<p><code>a b</code></p>'],
    ['```a```', '<p><code>a</code></p>'],
    asTyped('`a'),
    asTyped('``a`'),
  ],
  'a fenced code block takes three backticks or more, and a language': [
    ['```\na\n\n  <b> **c**\n```', '<pre><code>a\n\n  &lt;b&gt; **c**\n</code></pre>'],
    ['```js\na()\n```', '<pre><code class="language-js">a()\n</code></pre>'],
    ['```js title="x"\na\n```', '<pre><code class="language-js">a\n</code></pre>'],
    ['```"><script>\na\n```', '<pre><code class="language-&quot;&gt;&lt;script&gt;">a\n</code></pre>'],
    ['````\n```\n````', '<pre><code>```\n</code></pre>'],
    ['```\n```', '<pre><code></code></pre>'],
    ['```\nnot closed', '<pre><code>not closed\n</code></pre>'],
    ['a\n```\nb\n```\nc', '<p>a</p><pre><code>b\n</code></pre><p>c</p>'],
    ['```\n- a\n> b\n```', '<pre><code>- a\n&gt; b\n</code></pre>'],
  ],
  'a blockquote takes > and a space': [
    ['> a\n> b', '<blockquote><p>a<br>b</p></blockquote>'],
    ['> a\n>\n> b', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['> a\n\n> b', '<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>'],
    ['a\n> b\n\nc', '<p>a</p><blockquote><p>b</p></blockquote><p>c</p>'],
    ['> **a**', '<blockquote><p><strong>a</strong></p></blockquote>'],
    asTyped('>a'),
    asTyped('>'),
    asTyped('>> a'),
    asTyped('a > b'),
  ],
  'a line without its marker continues a paragraph in a quote or list, and nothing else': [
    ['> a\nb', '<blockquote><p>a<br>b</p></blockquote>'],
    ['> a\n>b', '<blockquote><p>a<br>&gt;b</p></blockquote>'],
    ['- a\nb', '<ul><li>a<br>b</li></ul>'],
    ['> - a\nb', '<blockquote><ul><li>a<br>b</li></ul></blockquote>'],
    ['> ```\n> a\n> ```\nb', '<blockquote><pre><code>a\n</code></pre></blockquote><p>b</p>'],
    ['> ```\n> a\nb', '<blockquote><pre><code>a\n</code></pre></blockquote><p>b</p>'],
    ['> ```\nb', '<blockquote><pre><code></code></pre></blockquote><p>b</p>'],
    ['- ```\nb', '<ul><li><pre><code></code></pre></li></ul><p>b</p>'],
    ['> a\n- b', '<blockquote><p>a</p></blockquote><ul><li>b</li></ul>'],
    ['> a\n2. b', '<blockquote><p>a</p></blockquote><ol start="2"><li>b</li></ol>'],
    ['- a\n\nb', '<ul><li>a</li></ul><p>b</p>'],
  ],
  'blank lines separate paragraphs, and a line end in a paragraph is a line break': [
    ['a\n\n\n \t\nb', '<p>a</p><p>b</p>'],
    ['a\nb', '<p>a<br>b</p>'],
    ['a\r\nb\r\n\r\nc', '<p>a<br>b</p><p>c</p>'],
    ['a  \n  b', '<p>a<br>b</p>'],
    ['a\\\nb', '<p>a<br>b</p>'],
    ['', ''],
    [' \n\n', ''],
  ],
  'an unordered list takes -, * or + and a space': [
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['* a\n* b', '<ul><li>a</li><li>b</li></ul>'],
    ['+ a\n+ b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n* b', '<ul><li>a</li></ul><ul><li>b</li></ul>'],
    ['a\n- b', '<p>a</p><ul><li>b</li></ul>'],
    ['- a\n-\n- b', '<ul><li>a</li><li></li><li>b</li></ul>'],
    ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['- ```\n\n- a', '<ul><li><pre><code></code></pre></li><li>a</li></ul>'],
    ['- *a*\n- `b`', '<ul><li><em>a</em></li><li><code>b</code></li></ul>'],
    ['-\ta', '<ul><li>a</li></ul>'],
    asTyped('-a'),
    asTyped('-'),
  ],
  'an ordered list takes a number, a period and a space, and keeps its start': [
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['7. a\n8. b', '<ol start="7"><li>a</li><li>b</li></ol>'],
    ['0. a', '<ol start="0"><li>a</li></ol>'],
    ['1. a\n- b', '<ol><li>a</li></ol><ul><li>b</li></ul>'],
    ['a\n1. b', '<p>a</p><ol><li>b</li></ol>'],
    asTyped('a\n1984. b'),
    asTyped('1.a'),
    asTyped('1) a\n2) b'),
    asTyped('1234567890. a'),
  ],
  'lists nest': [
    ['- a\n  - b\n    - c\n- d', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>'],
    ['- a\n\t- b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    ['1. a\n   - b\n2. c', '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>'],
    ['- 1. a\n  2. b', '<ul><li><ol><li>a</li><li>b</li></ol></li></ul>'],
    ['- - a', '<ul><li><ul><li>a</li></ul></li></ul>'],
    ['- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'],
  ],
  'code, quotes and lists can be nested': [
    ['- a\n  ```js\n  b\n    c\n  ```\n- d', codeInList('b\n  c\n')],
    ['- a\n  ```js\n  b\n\n  - c\n  ```\n- d', codeInList('b\n\n- c\n')],
    ['> - a\n>   - b', '<blockquote><ul><li>a<ul><li>b</li></ul></li></ul></blockquote>'],
    ['- > a\n  > b', '<ul><li><blockquote><p>a<br>b</p></blockquote></li></ul>'],
    ['> > a\n> > b\n> c', '<blockquote><blockquote><p>a<br>b<br>c</p></blockquote></blockquote>'],
    ['> ```\n> a\n>\n> b\n> ```', '<blockquote><pre><code>a\n\nb\n</code></pre></blockquote>'],
    ['1. > - `a`', '<ol><li><blockquote><ul><li><code>a</code></li></ul></blockquote></li></ol>'],
  ],
  'links can use http, https and mailto': [
    ['[a](http://b.c)', `<p><a href="http://b.c/" ${rel}>a</a></p>`],
    ['[a](HTTPS://B.c/D?e=f&g#h)', `<p><a href="https://b.c/D?e=f&amp;g#h" ${rel}>a</a></p>`],
    ['[a](mailto:b@c.d)', `<p><a href="mailto:b@c.d" ${rel}>a</a></p>`],
    ['[a](http://b.c/(d_(e)))', `<p><a href="http://b.c/(d_(e))" ${rel}>a</a></p>`],
    [
      '[a](http://b.c/#?_a=(d:(e:!((f:g)))))',
      `<p><a href="http://b.c/#?_a=(d:(e:!((f:g))))" ${rel}>a</a></p>`,
    ],
    ['[a](<http://b.c/d>)', `<p><a href="http://b.c/d" ${rel}>a</a></p>`],
    ['[a](http://b.c/ö"\'<)', `<p><a href="http://b.c/%C3%B6%22&#39;%3C" ${rel}>a</a></p>`],
    ['[a](http://b.c/ "d" )', `<p><a href="http://b.c/" ${rel}>a</a></p>`],
    ['[a](http://b.c/?d=&amp;)', `<p><a href="http://b.c/?d=&amp;amp;" ${rel}>a</a></p>`],
    [
      '[*a* `b` **c**](http://d.e)',
      `<p><a href="http://d.e/" ${rel}><em>a</em> <code>b</code> <strong>c</strong></a></p>`,
    ],
    ['**[a](http://b.c)**', `<p><strong><a href="http://b.c/" ${rel}>a</a></strong></p>`],
    ['*a [b* c](http://d.e)', `<p>*a <a href="http://d.e/" ${rel}>b* c</a></p>`],
    ['[a [b] c](http://d.e)', `<p><a href="http://d.e/" ${rel}>a [b] c</a></p>`],
    ['[a [b](http://c.d) e](http://f.g)', `<p>[a <a href="http://c.d/" ${rel}>b</a> e](http://f.g)</p>`],
    ['- [a](http://b.c)', `<ul><li><a href="http://b.c/" ${rel}>a</a></li></ul>`],
  ],
  'any other link is text': [
    ...[
      'javascript:alert(1)¦JaVaScRiPt:alert(1)¦data:text/html,x¦vbscript:x¦file:///x¦ftp://x¦blob:http://b.c/d¦skein:x',
      '/a¦a¦¦#a¦?a¦//b.c¦\\\\b.c¦http:¦http://¦&#106;avascript:x¦java&Tab;script:x¦javascript&colon;x¦%6Aavascript:x',
      '\u0001javascript:x¦\u00a0http://b.c¦http://b.c/\u2028¦java\u0000script:x¦http://b.c/\u0007¦\u00a0javascript:x¦<javascript:x>¦<http://b.c/d e>',
    ]
      .flatMap((line) => line.split('¦'))
      .map((url) => asTyped(`[**a** \`b\`](${url})`)),
  ],
  'a mention shows the current name, not the label': [
    [`[Bob](skein:${user})`, `<p>${ann}</p>`],
    [`[*x* [y]](SKEIN:${user})`, `<p>${ann}</p>`],
    [`[](skein:${group})`, `<p><span class="mention" data-id="${group}">@Ops</span></p>`],
    [
      `**[x](skein:${general})**!`,
      `<p><strong><span class="mention" data-id="${general}">@General</span></strong>!</p>`,
    ],
    [`- > [x](<skein:${user}> "y")`, `<ul><li><blockquote><p>${ann}</p></blockquote></li></ul>`],
    [`[a [b](skein:${user}) c](http://d.e)`, `<p>[a ${ann} c](http://d.e)</p>`],
  ],
  'a mention of an ID without a name shows its label as plain text': [
    [`hi [Eve](skein:${stranger})!`, '<p>hi Eve!</p>'],
    [`[*Eve* <b> \\]](skein:${stranger})`, '<p>*Eve* &lt;b&gt; ]</p>'],
  ],
  'a mention in code, with an invalid ID or with another scheme is text': [
    [`\`[x](skein:${user})\``, `<p><code>[x](skein:${user})</code></p>`],
    [`\`\`\`\n[x](skein:${user})\n\`\`\``, `<pre><code>[x](skein:${user})\n</code></pre>`],
    asTyped(`[x](skein:${user}0)`),
    asTyped(`[x](skein:${user.slice(0, -1)})`),
    asTyped(`[x](skein:thr${user.slice(3)})`),
    asTyped(`[x](skein://${user})`),
    asTyped(`[x](other:${user})`),
    asTyped(`![x](skein:${user})`),
    asTyped(`skein:${user}`),
  ],
  'a backslash makes punctuation literal': [
    ['\\*a\\* \\[b](http://c.d) \\`e`', '<p>*a* [b](http://c.d) `e`</p>'],
    ['\\- a', '<p>- a</p>'],
    ['1\\. a', '<p>1. a</p>'],
    ['\\> a', '<p>&gt; a</p>'],
    ['\\\\ \\<b>', '<p>\\ &lt;b&gt;</p>'],
    ['[a\\]](http://b.c/\\(\\))', `<p><a href="http://b.c/()" ${rel}>a]</a></p>`],
    asTyped('C:\\new \\ü'),
  ],
  'bare links are text': [
    asTyped('http://b.c www.b.c a@b.c'),
    asTyped('https://b.c/__init__.py and http://b.c/_d_.'),
    asTyped('<http://b.c/_d_> <a@b.c>'),
    ['_a http://b.c_', '<p><em>a http://b.c</em></p>'],
  ],
  'images are text': [
    asTyped('![a](http://b.c/d.png)'),
    asTyped('![**a** [b](http://c.d)](http://e.f "g")'),
    asTyped('![a][b] ![c]'),
    ['[![a](http://b.c)](http://d.e)', `<p><a href="http://d.e/" ${rel}>![a](http://b.c)</a></p>`],
  ],
  'headings, tables and thematic breaks are text': [
    asTyped('# a\n## b ##\n#c'),
    asTyped('a\n===\nb\n---'),
    asTyped('| a | b |\n|---|:-:|\n| c | d |'),
    asTyped('---\n***\n___\n- - -\n* * *\n_ _ _'),
    asTyped('a\n- - -\nb'),
    ['- a\n- * * *', '<ul><li>a</li><li>* * *</li></ul>'],
  ],
  'HTML and entities are text': [
    asTyped('<b>a</b> <br/> <!-- c --> <?php ?> <![CDATA[x]]>'),
    asTyped('<div>\n<script>alert(1)</script>\n</div>'),
    asTyped('<img src=x onerror="alert(1)">'),
    asTyped('<pre>\n<a href="http://b.c">'),
    asTyped('&amp; &lt; &#60; &#x3C; &copy; &'),
    ['<b>**a**</b>', '<p>&lt;b&gt;<strong>a</strong>&lt;/b&gt;</p>'],
  ],
  'task lists, references, footnotes, indented code and other fences are text': [
    ['- [ ] a\n- [x] b', '<ul><li>[ ] a</li><li>[x] b</li></ul>'],
    asTyped('[a]: http://b.c "d"'),
    asTyped('[a]: http://b.c\n[a] [a][] [d][a]'),
    asTyped('a[^1]\n[^1]: b'),
    ['    a\n\tb', '<p>a<br>b</p>'],
    asTyped('~~~\na\n~~~'),
  ],
}

function codeInList(code: string): string {
  return `<ul><li>a<pre><code class="language-js">${code}</code></pre></li><li>d</li></ul>`
}

describe('renderMarkdown', () => {
  it.each(Object.entries(facts))('%s', (_, examples) => {
    for (const [source, html] of examples) expect([source, render(source)]).toEqual([source, html])
  })

  it('keeps no state between calls', () => {
    const source = `[x](skein:${user})`
    expect(renderMarkdown(source, { schemes: ['skein'], names: new Map() })).toBe('<p>x</p>')
    expect(renderMarkdown(source, { schemes: ['skein'], names: new Map([[user, 'Ann']]) })).toContain('@Ann')
    expect(renderMarkdown(source, { schemes: ['other'], names })).toBe(`<p>${source}</p>`)
    expect(renderMarkdown('[x][y]', { schemes: ['skein'], names })).toBe('<p>[x][y]</p>')
  })

  it('returns the escaped source if Marked fails', () => {
    const lexer = vi.spyOn(Marked.prototype, 'lexer').mockImplementation(() => {
      throw new Error('Infinite loop')
    })
    expect(render('**a**\n<b>')).toBe('<p>**a**<br>&lt;b&gt;</p>')
    expect(mentionedIDs(`[x](skein:${user})`, ['skein'])).toEqual([])
    lexer.mockRestore()
  })
})

describe('mentionedIDs', () => {
  it('returns each ID once, in the order of the source', () => {
    const source = `[a](skein:${group})\n- [b](Skein:${user})\n\n> [c](skein:${group}) **[d](skein:${general})**`
    expect(mentionedIDs(source, ['skein'])).toEqual([group, user, general])
  })

  it('returns no ID from code, images or another scheme', () => {
    const mention = `[a](skein:${user})`
    const source = `\`${mention}\` !${mention} \\${mention} [a](other:${user})\n\`\`\`\n${mention}\n\`\`\``
    expect(mentionedIDs(source, ['skein'])).toEqual([])
  })
})

const fragments = [
  'a¦b c¦ ¦  ¦    ¦\t¦\n¦\n\n¦\r\n¦*¦**¦***¦_¦__¦~~¦~¦`¦``¦```¦~~~¦[¦]¦(¦)¦![¦](¦[](¦[a](¦[a][b]¦<¦>¦"¦\'¦&¦&lt;¦&#60;¦\\',
  '\n- ¦\n  - ¦\n> ¦\n>¦\n1. ¦\n9) ¦\n```\n¦\n```js"><b\n¦\n    ¦\n# ¦\n---\n¦\n|a|b|\n|-|-|\n¦\n[b]: javascript:x\n',
  'http://¦https://x.y¦mailto:a@b¦//x.y¦javascript:¦JAVASCRIPT:¦data:text/html,¦vbscript:¦skein:¦](http://x.y "t")',
  '](http://x.y)¦](javascript:alert(1))¦](<http://x"y>)¦](http://x"onclick=alert(1))¦](mailto:<b>)',
  `](skein:${user})¦](SKEIN:${group})¦](skein:${stranger})¦](skein:${user}"x)¦${user}¦skein:${general}`,
  '<script>¦</script>¦<!--¦-->¦<img src=x onerror=alert(1)>¦<a href="¦<svg/onload=alert(1)>¦</code>¦</p>',
  '" onmouseover="x¦\' onfocus=\'x¦\u0000¦\u0001¦\u00a0¦\u2028¦\ufeff¦\u202e¦\ud800¦\udc00¦😀¦é¦＜',
].flatMap((line) => line.split('¦'))

function hostileSource(random: () => number): string {
  const length = 1 + Math.floor(random() * 30)
  return Array.from({ length }, () => fragments[Math.floor(random() * fragments.length)]).join('')
}

const htmlText = /(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)+/y
const value = /(?:[^<>&"'\s]|&(?:amp|lt|gt|quot|#39);)+/.source
const htmlTag = new RegExp(
  `<(?:(?<void>br)|/(?<end>[a-z]+)|(?<start>p|strong|em|del|pre|blockquote|ul|li|code(?: class="language-${value}")?|ol(?: start="\\d+")?|a href="(?<href>${value})" ${rel}|span class="mention" data-id="(?<id>(?:usr|grp|wks)_\\w{27})"))>`,
  'y',
)

type Found = { hrefs: string[]; ids: string[]; depth: number }

/** Reads HTML that contains only escaped text and the tags of messages. Throws for anything else. */
function readSafeHTML(html: string): Found {
  const found: Found = { hrefs: [], ids: [], depth: 0 }
  const open: string[] = []
  for (let at = 0; at < html.length; ) {
    htmlText.lastIndex = at
    htmlTag.lastIndex = at
    const match = htmlText.exec(html) ?? htmlTag.exec(html)
    if (!match) throw new Error(`Not allowed: ${html.slice(at, at + 80)}`)
    at += match[0].length
    const { end, start, href, id } = match.groups ?? {}
    if (start) open.push(start.split(' ', 1)[0] ?? '')
    if (end && open.pop() !== end) throw new Error(`Not open: ${end}`)
    if (start && open.lastIndexOf('a') !== open.indexOf('a')) throw new Error('A link in a link')
    if (href) found.hrefs.push(href.replace(/&(?:amp|lt|gt|quot|#39);/g, decodeEntity))
    if (id) found.ids.push(id)
    found.depth = Math.max(found.depth, open.length)
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join()}`)
  return found
}

function decodeEntity(entity: string): string {
  return [...entities].find(([, escaped]) => escaped === entity)?.[0] ?? ''
}

describe('hostile sources', () => {
  it('are rendered as escaped text with allowed and balanced tags', () => {
    const random = randomNumbers(26)
    const visible = new Map([user, group, general, stranger].map((id) => [id, `<script>"${id}'&`]))
    for (let count = 0; count < 1000; count += 1) {
      const source = hostileSource(random)
      const found = readSafeHTML(renderMarkdown(source, { schemes: ['skein'], names: visible }))
      for (const href of found.hrefs) expect(new URL(href).protocol).toMatch(/^(https?|mailto):$/)
      expect([source, ...new Set(found.ids)]).toEqual([source, ...mentionedIDs(source, ['skein'])])
    }
  })

  const size = 40_000
  const fill = (text: string, length = size) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
  const repeated = [
    '*¦_¦~¦`¦[¦]¦![¦<¦&¦"¦\\¦#¦-¦|¦\n¦ ¦\t¦\0¦\r\n¦\ud83d¦h¦> ¦>¦- ¦* ¦1. ¦> - ¦- > 1. ¦-\t¦> > > a\nb\n¦> - > - a\n- b\n  > c\n',
    '- a\n¦- a\n* b\n¦- a\n\n¦- a\n\nb\n\n¦1. a\n1) b\n¦- ```\n¦a\n- - - - - - x\n¦- - -\n¦a\n¦ \n¦a\n===\n¦```\n¦```a`\n¦a|b\n-|-\n',
    '**a ¦*a **b ¦*a _b **c __d ~~e ¦a* b_ c** d__ e~~ ¦a**b¦a***b*c_d__¦a*b**c***¦~~ ~~a¦*a_ ¦*😀*¦中**文¦`` ` ¦\\`',
    '[a](b¦[](¦[](<¦[a](b "¦[a](b(c(d(¦[a](http://x)¦*[a*](http://b)¦![[[[¦[]¦[`a¦[a][b]¦[^1]¦[a]: http://x\n',
    `<a b="¦<http://¦http://¦http://_¦<!--¦&amp;¦[x](skein:${user})¦[x](skein:${stranger})`,
  ].flatMap((line) => line.split('¦'))
  const built = {
    'quotes that deepen line by line': Array.from(
      { length: 200 },
      (_, depth) => `${'> '.repeat(depth)}a`,
    ).join('\n'),
    'lists that deepen line by line': Array.from(
      { length: 200 },
      (_, depth) => `${'  '.repeat(depth)}- a`,
    ).join('\n'),
    'a deep list and a lazy line': `${fill('- ')}x\ny`,
    'lazy lines in a list': `- a\n${fill('a\n')}`,
    'lazy lines in a quote': `> a\n${fill('a\n')}`,
    'runs of backticks that never close': Array.from({ length: 280 }, (_, length) => '`'.repeat(length)).join(
      ' ',
    ),
    'openers before one closer of another kind': `${fill('**a ')}b_a*`,
    'openers and then closers': fill('*a **b ') + fill('c** d* '),
    'strong in strong': `${fill('*')}a${fill('*')}`,
    'brackets in brackets': fill('[') + fill(']'),
    'links in links': `${fill('[')}a${fill('](http://x)')}`,
    'images in images': `${fill('![')}a${fill('](b)')}`,
    'brackets and then links': fill('[') + fill('[a](http://b)'),
    'spaces in place of a URL': `[a](${fill(' ')}x`,
    'a long URL': `[a](http://${fill('b')})`,
    'a long URL of parentheses': `[a](${fill('(')}${fill(')')})`,
    'a long title': `[a](http://b "${fill('\\"')}")`,
    'spaces between letters': `a${fill(' ')}b`,
  }

  it.each([
    ...repeated.map((text) => [JSON.stringify(text), fill(text)]),
    ...Object.entries(built),
  ])('of 40,000 characters are rendered safely: %s', (_, source = '') => {
    const html = renderMarkdown(source, { schemes: ['skein'], names })
    expect(readSafeHTML(html).depth).toBeLessThanOrEqual(100)
    mentionedIDs(source, ['skein'])
  })

  const long = (text: string) => fill(text, 75_000)
  it.each([
    ['bold that never closes', long('**a ') + long('**a ')],
    ['openers and closers of another kind', long('*a ') + long('b_ ')],
    ['nested quotes and lists', long('> - ') + long('> - ')],
    ['links that never close', long('[a](b') + long('[a](b')],
    ['a link that closes after spaces', `[a](${long(' ')}b${long(' ')}c`],
    ['items', long('- a\n')],
    ['lines', long('a\n') + long('a\n')],
  ])(
    'of 150,000 characters are rendered safely: %s',
    (_, source) => {
      readSafeHTML(renderMarkdown(source, { schemes: ['skein'], names }))
    },
    30_000,
  )

  it('can have 32 nested parentheses in a link', () => {
    const url = (depth: number) => `http://b.c/${'('.repeat(depth)}${')'.repeat(depth)}`
    expect(render(`[a](${url(32)})`)).toBe(`<p><a href="${url(32)}" ${rel}>a</a></p>`)
    expect(render(`[a](${url(33)})`)).toBe(`<p>[a](${url(33)})</p>`)
  })

  it('are nested to a depth of 20, and deeper markup is text', () => {
    expect(render(`${'> '.repeat(22)}a`)).toBe(
      `${'<blockquote>'.repeat(20)}<p>&gt; &gt; a</p>${'</blockquote>'.repeat(20)}`,
    )
    expect(render(`${'- '.repeat(22)}a`)).toBe(`${'<ul><li>'.repeat(20)}- - a${'</li></ul>'.repeat(20)}`)
    expect(render(`${'**'.repeat(22)}a${'**'.repeat(22)}`)).toBe(
      `<p>${'<strong>'.repeat(20)}****a****${'</strong>'.repeat(20)}</p>`,
    )
  })
})

it('still takes an address with letters such as ü for a link after V8 has optimized the reader', () => {
  const isLink = () => isSafeURL('https://müller.example/straße')
  expect(Array.from({ length: 300_000 }, isLink).filter((is) => !is)).toEqual([])
})
