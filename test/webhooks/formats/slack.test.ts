import { describe, expect, it } from 'vitest'
import { AppError, invalidField, notFound } from '../../../src/errors.ts'
import { isBlankMarkdown } from '../../../src/text/markdown/plain-text.ts'
import { mentionedIDs } from '../../../src/text/markdown/render-markdown.ts'
import { slack } from '../../../src/webhooks/formats/slack.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { randomJSON, randomText } from './random-json.ts'
import { groupID, htmlOf, operationOf, refusalOf, settings, userID } from './read-format.ts'

const read = (body: unknown) => operationOf(slack, body)
const html = (text: string) => htmlOf(read({ text }))
const everyone = `<span class="mention" data-id="${groupID}">@Builds</span>`
const plain = (text: string) => ({ type: 'plain_text', text, emoji: true })
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const richText = (...elements: unknown[]) => ({ blocks: [{ type: 'rich_text', elements }] })
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })

describe('mrkdwn', () => {
  it.each([
    [
      '*bold* _italic_ ~strike~ `co*d*e`',
      '<p><strong>bold</strong> <em>italic</em> <del>strike</del> <code>co*d*e</code></p>',
    ],
    ['*bold _both_*, (*this*)!', '<p><strong>bold <em>both</em></strong>, (<strong>this</strong>)!</p>'],
    ['**bold** as in Markdown', '<p><strong>bold</strong> as in Markdown</p>'],
    ['my_snake_case 2 * 3 * 4 a*b*c ~5 * not bold*', '<p>my_snake_case 2 * 3 * 4 a*b*c ~5 * not bold*</p>'],
    ['*a _b* c_', '<p><strong>a _b</strong> c_</p>'],
    ['`open *a*', '<p>`open <strong>a</strong></p>'],
    ['AT&amp;T &lt;b&gt; &amp;lt; a < b', '<p>AT&amp;T &lt;b&gt; &amp;lt; a &lt; b</p>'],
    ['C:\\dir\\* \\', '<p>C:\\dir\\* \\</p>'],
    [':tada: # no heading', '<p>:tada: # no heading</p>'],
    ['one\ntwo\n\nthree', '<p>one<br>two</p><p>three</p>'],
  ])('styles become Markdown, and other text stays as it is: %j', (text, expected) => {
    expect(html(text)).toBe(expected)
  })

  it.each([
    [
      'see <https://ci.example.com/a_b?x=1&amp;y=2|build *12*>',
      '<p>see <a href="https://ci.example.com/a_b?x=1&amp;y=2">build *12*</a></p>',
    ],
    [
      '<https://ci.example.com/(1)>',
      '<p><a href="https://ci.example.com/(1)">https://ci.example.com/(1)</a></p>',
    ],
    ['Done!<https://ci.example.com/|here>', '<p>Done!<a href="https://ci.example.com/">here</a></p>'],
    ['<mailto:ann@example.com|Ann>', '<p><a href="mailto:ann@example.com">Ann</a></p>'],
    ['http://a.example/_x_y_ stays', '<p>http://a.example/_x_y_ stays</p>'],
    ['<tel:123|call> <javascript:alert(1)|x>', '<p>call (tel:123) x (javascript:alert(1))</p>'],
    [
      '<!date^1392734382^{date}^https://example.com/|Feb 18>',
      '<p><a href="https://example.com/">Feb 18</a></p>',
    ],
    [
      '<@U012AB3CD> <@W1|bob> <#C1|general> <#C2> <!subteam^S1|@ops> <b>',
      '<p>@U012AB3CD @bob #general #C2 @ops &lt;b&gt;</p>',
    ],
  ])('references become links and names: %j', (text, expected) => {
    expect(html(text)).toBe(expected)
  })

  it('quotes, lists and code blocks become blocks, and the text after them stays outside', () => {
    expect(html('a\n&gt; quoted *b*\n> more\nafter')).toBe(
      '<p>a</p><blockquote><p>quoted <strong>b</strong><br>more</p></blockquote><p>after</p>',
    )
    expect(html('>>> all\nof *it*')).toBe('<blockquote><p>all<br>of <strong>it</strong></p></blockquote>')
    expect(html('• one\n    ◦ sub\n- two\nafter')).toBe(
      '<ul><li>one<ul><li>sub</li></ul></li><li>two</li></ul><p>after</p>',
    )
    expect(html('3. three\n7. seven')).toBe('<p>3. three<br>7. seven</p>')
    expect(html('log: ```a &lt; *b*\n  <http://c.d|e>``` end')).toBe(
      '<p>log:</p><pre><code>a &lt; *b*\n  e\n</code></pre><p>end</p>',
    )
  })

  it('with mrkdwn false, references are read and styles are not', () => {
    const operation = read({ text: '*a* <https://b.example/|c>\n- d', mrkdwn: false })
    expect(htmlOf(operation)).toBe('<p>*a* <a href="https://b.example/">c</a><br>- d</p>')
  })
})

describe('mentions', () => {
  it.each(['<!here>', '<!channel>', '<!everyone|everyone>'])('%s mentions the target group', (reference) => {
    const operation = read({ text: `*Deploy* ${reference} failed` })
    expect(operation.allowMentions).toBe(true)
    expect(htmlOf(operation)).toBe(`<p><strong>Deploy</strong> ${everyone} failed</p>`)
  })

  it('a broadcast in rich text mentions the target group', () => {
    const operation = read(richText(section({ type: 'broadcast', range: 'here' })))
    expect(operation).toEqual({ text: `[@here](skein:${groupID})`, allowMentions: true })
  })

  it('in a thread, a broadcast is text', () => {
    const operation = operationOf(slack, { text: '<!channel> hi' }, { groupID: undefined })
    expect(operation).toEqual({ text: '@channel hi' })
  })

  it.each([
    { text: `[Ann](skein:${userID})` },
    { text: `<skein:${userID}|Ann>` },
    { text: `[Ann]<!date^1^x|(skein:${userID})>` },
    { text: `\`\`<!here>[Ann](skein:${userID})` },
    { attachments: [{ title: 'Ann', title_link: `skein:${userID}`, text: `[Ann](skein:${userID})` }] },
    { blocks: [{ type: 'markdown', text: `[Ann](<skein:${userID}>) \\[Ann\\](skein:${userID})\n\`\`\`\n` }] },
    { blocks: [{ type: 'context', elements: [mrkdwn('[Ann]'), plain(`(skein:${userID})`)] }] },
    richText(
      section({ type: 'link', url: `skein:${userID}`, text: 'Ann' }, { type: 'user', user_id: userID }),
    ),
    richText(section({ type: 'text', text: '[Ann]' }, { type: 'text', text: `(skein:${userID})` })),
  ])('a payload mentions nobody else: %j', (body) => {
    const { attachments = [], ...others }: Record<string, unknown> & { attachments?: unknown[] } = body
    const operation = read({ ...others, attachments: [...attachments, { text: '<!here>' }] })
    expect(mentionedIDs(operation.text, ['skein'])).toEqual([groupID])
    expect(htmlOf(operation)).not.toContain('@Ann')
  })
})

describe('in plain text,', () => {
  const here = '<!here> <!channel|all>'
  const ofAttachment = (attachment: object) => ({ attachments: [attachment] })
  const ofBlock = (block: object) => ({ blocks: [block] })

  it.each([
    ofAttachment({ author_name: here }),
    ofAttachment({ author_name: here, author_link: 'https://a.example/' }),
    ofAttachment({ author_name: 'Ann', author_subname: here }),
    ofAttachment({ title: here }),
    ofAttachment({ title: here, title_link: 'https://a.example/' }),
    ofAttachment({ title: here, mrkdwn_in: ['title'] }),
    ofAttachment({ fields: [{ title: here, value: 'x' }] }),
    ofAttachment({ footer: here }),
    ofAttachment({ fallback: here }),
    ofAttachment({ actions: [{ type: 'button', text: here, url: 'https://a.example/' }] }),
    ofBlock({ type: 'header', text: plain(here) }),
    ofBlock({ type: 'header', text: mrkdwn(here) }),
    ofBlock({ type: 'section', text: plain(here), fields: [plain(here)] }),
    ofBlock({ type: 'context', elements: [plain(here), { type: 'button', text: here }] }),
    ofBlock({ type: 'image', image_url: 'https://a.example/', title: plain(here), alt_text: here }),
    ofBlock({ type: 'video', title: here, description: plain(here), alt_text: here }),
    ofBlock({ type: 'input', label: here, hint: here }),
    ofBlock({ type: 'markdown', text: here }),
    ofBlock({ type: 'table', rows: [[{ type: 'raw_text', text: here }]] }),
    { text: 'x', username: here },
  ])('a broadcast mentions nobody: %j', (body) => {
    const operation = read(body)
    expect(operation).not.toHaveProperty('allowMentions')
    expect(htmlOf(operation)).not.toContain('class="mention"')
  })

  it('a broadcast is shown', () => {
    expect(read(ofAttachment({ title: here, footer: here })).text).toBe(
      '**@here @channel**\n\n_@here @channel_',
    )
    expect(read(ofBlock({ type: 'section', text: plain(here) })).text).toBe('<!here> <!channel|all>')
  })
})

describe('attachments', () => {
  it('the Slack receiver of Alertmanager becomes a failed message', () => {
    const operation = read({
      channel: '#alerts',
      username: 'Alertmanager',
      attachments: [
        {
          title: '[FIRING:1] InstanceDown (web-1:9100 node critical)',
          title_link: 'http://alertmanager.example.com/#/alerts?receiver=slack',
          text: '*Alert:* web-1 is down\n*Labels:*\n • *instance:* `web-1:9100`',
          fallback: '[FIRING:1] InstanceDown | http://alertmanager.example.com',
          callback_id: '',
          footer: '',
          color: 'danger',
          mrkdwn_in: ['fallback', 'pretext', 'text'],
        },
      ],
    })
    expect(operation).toMatchObject({ senderName: 'Alertmanager', state: 'failed' })
    expect(htmlOf(operation)).toBe(
      '<p><strong><a href="http://alertmanager.example.com/#/alerts?receiver=slack">[FIRING:1] InstanceDown' +
        ' (web-1:9100 node critical)</a></strong></p><p><strong>Alert:</strong> web-1 is down<br>' +
        '<strong>Labels:</strong></p><ul><li><strong>instance:</strong> <code>web-1:9100</code></li></ul>',
    )
  })

  it('every field of an attachment is shown', () => {
    const operation = read({
      text: 'Build',
      attachments: [
        {
          fallback: 'not shown',
          pretext: 'Before *it*',
          author_name: 'Ann',
          author_link: 'https://example.com/ann',
          title: 'T &amp; U',
          text: 'Text',
          fields: [
            { title: 'Branch', value: 'main', short: true },
            { title: 'Log:', value: 'a\nb', short: false },
          ],
          image_url: 'https://example.com/a.png',
          thumb_url: 'https://example.com/t.png',
          actions: [
            { type: 'button', text: 'Open', url: 'https://example.com/open' },
            { type: 'button', text: 'Restart', name: 'restart' },
          ],
          footer: 'CI',
          ts: 1_792_837_800,
        },
      ],
    })
    expect(operation.text.split('\n\n')).toEqual([
      'Build',
      'Before **it**',
      '[Ann](https://example.com/ann)\n**T & U**',
      'Text',
      '**Branch:** main',
      '**Log:**\na\nb',
      '[Image](https://example.com/a.png) · [Thumbnail](https://example.com/t.png)',
      '[Open](https://example.com/open)',
      '_CI · 2026-10-24 10:30 UTC_',
    ])
  })

  it('the fallback is shown if nothing else is', () => {
    expect(read({ attachments: [{ fallback: 'Build *failed*: <https://a.example/|log>' }] }).text).toBe(
      'Build \\*failed\\*: [log](https://a.example/)',
    )
  })

  it.each([
    ['good', 'ok'],
    ['danger', 'failed'],
    ['warning', undefined],
    ['#36a64f', 'ok'],
    ['2eb67d', 'ok'],
    ['#D63232', 'failed'],
    ['#e01e5a', 'failed'],
    ['#daa038', undefined],
    ['#439FE0', undefined],
    ['#000000', undefined],
    ['#808080', undefined],
    ['constructor', undefined],
  ])('the colour %s means the state %s', (color, state) => {
    expect(read({ attachments: [{ color, text: 'x' }] }).state).toBe(state)
  })

  it('one failure makes a message failed', () => {
    const attachments = ['good', 'danger', 'good'].map((color) => ({ color, text: 'x' }))
    expect(read({ attachments }).state).toBe('failed')
  })
})

describe('blocks', () => {
  it('a header, a section with fields and a button, a context and actions are shown instead of the text', () => {
    const operation = read({
      text: 'for notifications only',
      blocks: [
        { type: 'header', text: plain('Deploy *12*') },
        { type: 'divider' },
        {
          type: 'section',
          text: mrkdwn('It is _done_'),
          fields: [mrkdwn('*Where:*\nproduction'), mrkdwn('*Who:*\n<@U1>'), plain('*plain*')],
          accessory: { type: 'button', text: plain('View'), url: 'https://example.com/view', action_id: 'a' },
        },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'https://example.com/i.png', alt_text: 'cat' },
            mrkdwn('by *CI*'),
          ],
        },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: plain('Log'), url: 'https://example.com/log' },
            { type: 'button', text: plain('Roll back'), value: 'back' },
          ],
        },
        { type: 'image', title: plain('Graph'), image_url: 'https://example.com/g.png', alt_text: 'CPU' },
      ],
    })
    expect(operation.text.split('\n\n')).toEqual([
      '**Deploy \\*12\\***',
      'It is _done_',
      '**Where:** production\n**Who:** @U1\n\\*plain\\*',
      '[View](https://example.com/view)',
      '[cat](https://example.com/i.png) by **CI**',
      '[Log](https://example.com/log)',
      'Graph\n[CPU](https://example.com/g.png)',
    ])
  })

  it('the attachment of Uptime Kuma has blocks', () => {
    const operation = read({
      text: 'Uptime Kuma Alert',
      channel: null,
      username: 'Uptime Kuma',
      icon_emoji: ':robot_face:',
      attachments: [
        {
          color: '#e01e5a',
          blocks: [
            { type: 'header', text: plain('Uptime Kuma Alert') },
            {
              type: 'section',
              fields: [mrkdwn('*Message*\nconnect ECONNREFUSED'), mrkdwn('*Time (UTC)*\n10:00')],
            },
          ],
        },
      ],
    })
    expect(operation).toEqual({
      text: 'Uptime Kuma Alert\n\n**Uptime Kuma Alert**\n\n**Message** connect ECONNREFUSED\n**Time (UTC)** 10:00',
      state: 'failed',
      senderName: 'Uptime Kuma',
    })
  })

  it('rich text keeps its styles, and neighbours share their marks', () => {
    const text = (content: string, ...styles: string[]) => ({
      type: 'text',
      text: content,
      style: Object.fromEntries(styles.map((style) => [style, true])),
    })
    const operation = read(
      richText(
        section(
          text('plain *x* '),
          text('bold ', 'bold'),
          { type: 'link', url: 'https://example.com/', text: 'link', style: { bold: true } },
          text('both', 'bold', 'italic'),
          text('.'),
          { type: 'emoji', name: 'tada' },
          { type: 'channel', channel_id: 'C1' },
          text(' '),
          text('a`b', 'code'),
          text('\nnext line'),
        ),
      ),
    )
    expect(htmlOf(operation)).toBe(
      '<p>plain *x* <strong>bold <a href="https://example.com/">link</a><em>both</em></strong>.:tada:#C1 ' +
        '<code>a`b</code><br>next line</p>',
    )
  })

  it('rich text has nested lists, quotes and code', () => {
    const item = (text: string) => section({ type: 'text', text })
    const list = (style: string, indent: number, ...items: string[]) => ({
      type: 'rich_text_list',
      style,
      indent,
      elements: items.map(item),
    })
    const operation = read(
      richText(
        item('Steps'),
        list('bullet', 0, 'one'),
        list('ordered', 1, 'first', 'second'),
        list('bullet', 0, 'two'),
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said\nso' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a\n```\nb' }] },
      ),
    )
    expect(htmlOf(operation)).toBe(
      '<p>Steps</p><ul><li>one<ol><li>first</li><li>second</li></ol></li><li>two</li></ul>' +
        '<blockquote><p>said<br>so</p></blockquote><pre><code>a\n```\nb\n</code></pre>',
    )
  })

  it('a table becomes aligned text', () => {
    const cell = (text: string) => ({ type: 'raw_text', text })
    const link = {
      type: 'rich_text',
      elements: [section({ type: 'link', url: 'https://a.example', text: 'web' })],
    }
    const rows = [
      [cell('Service'), cell('ms')],
      [link, cell('12')],
    ]
    expect(read({ blocks: [{ type: 'table', rows }] }).text).toBe('```\nService  ms\nweb      12\n```')
  })

  it('a block of an unknown type becomes its texts and its link', () => {
    const video = {
      type: 'video',
      title: plain('How to deploy'),
      title_url: 'https://example.com/v',
      description: plain('In 3 minutes'),
      alt_text: '',
    }
    expect(read({ blocks: [video, { type: 'new', text: 'words' }] }).text).toBe(
      '[How to deploy](https://example.com/v)\n\nIn 3 minutes\n\nwords',
    )
  })

  it('256 KiB of blocks take at most six times the processor time of 64 KiB', () => {
    const limits = { textCharacters: 10_000_000, subjectCharacters: 250 }
    const bodyOf = (kibibytes: number) => {
      const blocks: unknown[] = []
      for (let size = 0; size < kibibytes * 1024; size += JSON.stringify(blocks.at(-1)).length)
        blocks.push({
          type: 'section',
          text: mrkdwn(`*Step ${size}* _is_ <https://ci.example.com/${size}|done> *`),
        })
      return { blocks }
    }
    const timeOf = (body: unknown) => {
      const before = process.cpuUsage()
      operationOf(slack, body, { limits })
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const [small, large] = [bodyOf(64), bodyOf(256)]
    const turns = Array.from({ length: 9 }, () => ({ small: timeOf(small), large: timeOf(large) }))
    const least = (size: 'small' | 'large') => Math.min(...turns.map((turn) => turn[size]))
    expect(least('large') / least('small')).toBeLessThan(6)
  })
})

describe('the body', () => {
  it('a form has the JSON in its field payload', () => {
    const payload = JSON.stringify({ text: 'deployed', username: 'Jenkins' })
    expect(read({ payload })).toEqual({ text: 'deployed', senderName: 'Jenkins' })
  })

  it.each([
    [{ text: '' }, '_A Slack message without text._'],
    [{ text: ' \u200b\n' }, '_A Slack message without text._'],
    [{ text: null, attachments: null, blocks: null, username: null }, '_A Slack message without text._'],
    [
      { attachments: [{ fallback: null, text: null, fields: null, ts: null }] },
      '_A Slack message without text, 1 attachment._',
    ],
    [{ blocks: [{ type: 'divider' }, null] }, '_A Slack message without text, 2 blocks._'],
  ])('a message that shows nothing is replaced by what it was: %j', (body, text) => {
    expect(read(body)).toEqual({ text })
  })

  it('wrong types are read as far as possible', () => {
    const wrong = [7, true, 'text', null, [], {}, [[]]]
    const operation = read({
      text: 12,
      username: ['x'],
      attachments: [
        ...wrong,
        { title: { text: 'T' }, fields: [...wrong, { title: 1, value: false }], color: 5, ts: 'x' },
      ],
    })
    expect(operation).toEqual({ text: '12\n\n**T**\n\n**1:** false' })
    expect(read({ text: 'shown', blocks: 'none', attachments: { text: 'none' } }).text).toBe('shown')
  })

  it('text from right to left stays as it is', () => {
    const operation = read({ text: 'מוצר *חדש* <https://example.com/|קישור>' })
    expect(htmlOf(operation)).toBe(
      '<p>מוצר <strong>חדש</strong> <a href="https://example.com/">קישור</a></p>',
    )
  })

  it('a long text is cut at a character, and half of a link or of code is never left', () => {
    const limits = { textCharacters: 50, subjectCharacters: 250 }
    const cut = (text: string) => operationOf(slack, { text }, { limits }).text
    expect(cut('😀'.repeat(51))).toBe(`${'😀'.repeat(48)}…`)
    expect(cut('😀'.repeat(50))).toBe('😀'.repeat(50))
    expect(cut(`first line\n<https://example.com/${'x'.repeat(40)}|link>`)).toBe('first line\n…')
    expect(mentionedIDs(cut(`\`[Ann](skein:${userID}) ${'x'.repeat(40)}\``), ['skein'])).toEqual([])
    expect(cut(`\`\`\`\n${'code *x* '.repeat(10)}\`\`\``)).toBe(
      `\`\`\`\n${'code *x* '.repeat(5).slice(0, 44)}…`,
    )
  })

  it('a user name has no line ends, control characters and bidirectional characters', () => {
    const username = '\u202eBuild\u202c\r\nbot\u0007\u0085 2\u2066'
    expect(read({ text: 'x', username }).senderName).toBe('Build bot 2')
    expect(read({ text: 'x', username: '\u202e\u0007' })).toEqual({ text: 'x' })
  })

  it('a long user name is cut, and a blank one is left out', () => {
    expect(read({ text: 'x', username: `a\n${'b'.repeat(200)}` }).senderName).toBe(`a ${'b'.repeat(97)}…`)
    expect(read({ text: 'x', username: ' \0' })).toEqual({ text: 'x', senderName: '\ufffd' })
    expect(read({ text: 'x', username: ' ' })).toEqual({ text: 'x' })
  })

  it('a body that is no Slack message is refused with a word of Slack', () => {
    const wordOf = (body: unknown) => slack.refuse?.(refusalOf(slack, body))
    expect({ none: wordOf({}), other: wordOf({ message: 'x' }) }).toEqual({
      none: 'no_text',
      other: 'no_text',
    })
    for (const body of [null, undefined, [], 'text', 5, { payload: '{' }, { payload: '[]' }])
      expect({ body, word: wordOf(body) }).toEqual({ body, word: 'invalid_payload' })
  })

  it('other errors are answered with words of Slack, and a success with ok', () => {
    const wordOf = (error: AppError) => slack.refuse?.(error)
    expect({
      success: slack.answer,
      target: wordOf(invalidField('target', 'is required')),
      missing: wordOf(notFound('target')),
      forbidden: wordOf(new AppError('forbidden', 'No.')),
      tooMany: wordOf(new AppError('rate_limited', 'Wait.')),
      tooLarge: wordOf(new AppError('too_large', 'Too large.')),
    }).toEqual({
      success: 'ok',
      target: 'channel_not_found',
      missing: 'channel_not_found',
      forbidden: 'action_prohibited',
      tooMany: 'rate_limited',
      tooLarge: 'invalid_payload',
    })
  })

  it('is recognized by its parts, but not by fields of the plain URL', () => {
    const bodies = [
      { blocks: [{ type: 'divider' }] },
      { attachments: [{ text: 'x' }] },
      { text: 'x', icon_emoji: ':x:' },
      { payload: '{"text":"x"}' },
      { text: 'x', attachments: ['fil_x'] },
      { text: 'x' },
      null,
    ]
    expect(bodies.map(slack.recognizes)).toEqual([true, true, true, true, false, false, false])
  })
})

it('any JSON becomes one message of at most the limit that shows something and mentions at most the group', () => {
  const names = [
    ...[
      'type',
      'text',
      'url',
      'title',
      'elements',
      'fields',
      'accessory',
      'style',
      'bold',
      'italic',
      'code',
      'rows',
    ],
    ...[
      'options',
      'image_url',
      'alt_text',
      'range',
      'fallback',
      'value',
      'pretext',
      'author_name',
      'author_link',
    ],
    ...[
      'title_link',
      'footer',
      'ts',
      'color',
      'mrkdwn_in',
      'indent',
      'offset',
      'user_id',
      'blocks',
      'actions',
    ],
  ] as const
  const texts = [
    ...[
      'header',
      'section',
      'context',
      'image',
      'rich_text',
      'rich_text_section',
      'rich_text_list',
      'ordered',
    ],
    ...[
      'rich_text_preformatted',
      'rich_text_quote',
      'table',
      'actions',
      'markdown',
      'video',
      'link',
      'broadcast',
    ],
    ...['here', 'mrkdwn', 'plain_text', 'button', 'good', `skein:${userID}`, `[Ann](skein:${userID})`],
    ...[`](skein:${userID})`, `(skein:${userID})`, `<skein:${userID}|Ann>`],
  ]
  for (let seed = 1; seed <= 800; seed += 1) {
    const random = randomNumbers(seed)
    const value = () => randomJSON(random, { names: ['type', ...names], texts })
    const limits = { textCharacters: seed % 3 === 0 ? 60 : 40_000, subjectCharacters: 250 }
    const text = seed % 2 === 0 ? randomText(random, texts) : value()
    const body = { text, blocks: [value(), value()], attachments: [value(), value()], username: value() }
    const operation = operationOf(slack, seed % 5 === 0 ? { text } : body, { limits })
    const mentioned = mentionedIDs(operation.text, [settings.mentionScheme])
    expect({
      seed,
      isBlank: isBlankMarkdown(operation.text),
      hasNUL: operation.text.includes('\0'),
      isTooLong: [...operation.text].length > limits.textCharacters,
      others: mentioned.filter((id) => id !== groupID),
      allowMentions: operation.allowMentions ?? false,
    }).toEqual({
      seed,
      isBlank: false,
      hasNUL: false,
      isTooLong: false,
      others: [],
      allowMentions: mentioned.length > 0,
    })
  }
})
