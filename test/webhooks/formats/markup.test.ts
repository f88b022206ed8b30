import { describe, expect, test } from 'vitest'
import { mentionedIDs } from '../../../src/text/markdown/render-markdown.ts'
import { markupMarkdown } from '../../../src/webhooks/formats/markup/markup.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { randomText } from './random-json.ts'
import { htmlOf, userID } from './read-format.ts'

const html = (source: string) => htmlOf({ text: markupMarkdown(source, 5000) })
const link = (url: string, label: string) => `<a href="${url}">${label}</a>`

describe('the Markdown of GitHub and GitLab', () => {
  test.each([
    ['# Title\ntext', '<p><strong>Title</strong></p><p>text</p>'],
    ['Title **x**\n===\n\nSub\n---', '<p><strong>Title x</strong></p><p><strong>Sub</strong></p>'],
    ['### `a**b`', '<p><strong><code>a**b</code></strong></p>'],
    ['a\n\n---\n\nb\n* * *\nc', '<p>a</p><p>b</p><p>c</p>'],
    ['**b** _i_ ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
    ['one\ntwo<br>three', '<p>one<br>two<br>three</p>'],
    ['- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['2. a\n3. b', '<ol start="2"><li>a</li><li>b</li></ol>'],
    ['- [ ] a\n- [x] b', '<ul><li>☐ a</li><li>☑ b</li></ul>'],
    [
      'see [the docs][1]\n\n[1]: https://docs.example.com/x\n[//]: # (a comment)',
      `<p>see [the docs][1]</p><p>[1]: ${link('https://docs.example.com/x', 'https://docs.example.com/x')}</p>`,
    ],
    ['> a\n>\n> - b', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote>'],
    ['```js\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>'],
    ['~~~\n```\n~~~', '<pre><code>```\n</code></pre>'],
    ['a\n\n    b', '<p>a</p><pre><code>b\n</code></pre>'],
    ['a\n\n|x|y z|\n|-|-|\n|`1`|2 \\| 3|', '<p>a</p><pre><code>x  y z\n1  2 | 3\n</code></pre>'],
    ['@octocat #12 :tada: a_b_c 2 * 3', '<p>@octocat #12 :tada: a_b_c 2 * 3</p>'],
    [
      '\\*a\\* \\[b\\](c) 1 &lt; 2 &amp;&#33; &nope; &#0;',
      '<p>*a* [b](c) 1 &lt; 2 &amp;! &amp;nope; &amp;#0;</p>',
    ],
  ])('becomes that of messages: %j', (source, expected) => {
    expect(html(source)).toBe(expected)
  })

  test.each([
    ['![a *b*](https://x.example/c.png)', `<p>${link('https://x.example/c.png', 'a <em>b</em>')}</p>`],
    ['![](https://x.example/c.png)', `<p>${link('https://x.example/c.png', 'picture')}</p>`],
    ['Look!![a](https://x.example/c)', `<p>Look!${link('https://x.example/c', 'a')}</p>`],
    [
      '<img width="9" alt="a &amp; b" src="https://x.example/?c&amp;d">',
      `<p>${link('https://x.example/?c&amp;d', 'a &amp; b')}</p>`,
    ],
    ['[![a](https://x.example/b)](https://x.example/c)', `<p>${link('https://x.example/c', 'a')}</p>`],
    ['[a](https://x.example/(b) "c") d', `<p>${link('https://x.example/(b)', 'a')} d</p>`],
    [
      '<https://x.example/a_b_> https://x.example/c_d_',
      `<p>${link('https://x.example/a_b_', 'https://x.example/a_b_')} https://x.example/c_d_</p>`,
    ],
    ['[a](../b) [c](javascript:alert(1)) [d](#e)', '<p>a c d</p>'],
    ['[a] [b][c] ]( [d](', '<p>[a] [b][c] ]( [d](</p>'],
    ['![a](x.png)', '<p>a</p>'],
  ])('has links and pictures: %j', (source, expected) => {
    expect(html(source)).toBe(expected)
  })

  test.each([
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['<!--\nb\n\nc\n-->\nd', '<p>d</p>'],
    ['a <b>b</b> <kbd>Ctrl</kbd>', '<p>a b Ctrl</p>'],
    ['<details><summary>Log</summary>\n\n```\na\n```\n</details>', '<p>Log</p><pre><code>a\n</code></pre>'],
    ['`<b>` a < b <3', '<p><code>&lt;b&gt;</code> a &lt; b &lt;3</p>'],
    ['<!-- a', ''],
  ])('loses comments and HTML: %j', (source, expected) => {
    expect(html(source)).toBe(expected)
  })

  test.each([
    `[Ann](skein:${userID})`,
    `![Ann](skein:${userID})`,
    `<skein:${userID}>`,
    `[Ann]<b></b>(skein:${userID})`,
    `[Ann]<!-- -->(skein:${userID})`,
    `&#91;Ann&#93;(skein:${userID})`,
    `[a [Ann](skein:${userID})](https://x.example)`,
    `|[Ann](skein:${userID})|\n|-|\n`,
    `# [Ann](skein:${userID})`,
  ])('mentions nobody: %j', (source) => {
    const text = markupMarkdown(source, 5000)
    expect(mentionedIDs(text, ['skein'])).toEqual([])
    expect(text).toMatch(/Ann|skein/)
  })

  test('mentions nobody, whatever the text is, and is never too long', () => {
    const pieces = [
      `[a](skein:${userID})`,
      `(skein:${userID})`,
      '<b>',
      '<!--',
      '-->',
      '|',
      '|-|\n',
      '# ',
      '&#91;',
    ]
    for (let seed = 1; seed <= 3000; seed += 1) {
      const random = randomNumbers(seed)
      const max = 20 + Math.floor(random() * 200)
      const text = markupMarkdown(randomText(random, [...pieces, ...pieces]), max)
      const found = { mentions: mentionedIDs(text, ['skein']), isTooLong: [...text].length > max }
      expect({ seed, ...found }).toEqual({ seed, mentions: [], isTooLong: false })
    }
  })

  test('is cut where a line ends', () => {
    expect(markupMarkdown(`${'a'.repeat(30)}\n\n${'b'.repeat(5000)}`, 100)).toBe(`${'a'.repeat(30)}\n\n…`)
  })
})
