import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { addMembers } from '../../../src/groups/members/add-members.ts'
import { removeMembers } from '../../../src/groups/members/remove-members.ts'
import { newID } from '../../../src/platform/ids.ts'
import {
  makeApp,
  makeWorld,
  postToWebhook,
  say,
  uploadToWebhook,
  type World,
} from '../../support/factories.ts'
import { operatorToken, startService } from '../../support/service.ts'

const service = await startService()

const query = `query ($query: String!, $filter: MessageSearchFilter, $first: Int, $after: String, $last: Int, $before: String, $order: MessageSearchOrder) {
  searchMessages(query: $query, filter: $filter, first: $first, after: $after, last: $last, before: $before, order: $order) {
    edges { cursor excerpt node { id text user { name } } } nodes { id text } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

function ask(token: string, variables: object) {
  return service.graphql(token, query, variables)
}

async function page(token: string, variables: object) {
  const answer = await ask(token, variables)
  expect(answer).not.toHaveProperty('errors')
  return answer.data.searchMessages
}

/** Returns the texts that the app finds, newest first. */
async function found({ app }: Pick<World, 'app'>, text: string, more: object = {}): Promise<string[]> {
  const { nodes } = await page(app.token, { query: text, ...more })
  return nodes.map((node: { text: string }) => node.text)
}

async function post({ webhook }: World, target: string, text: string, more: object = {}) {
  return (await postToWebhook(service, webhook.path, { target, text, ...more })).json()
}

/** Creates a world with these messages in the chat of the public group. */
async function withTexts(...texts: string[]): Promise<World> {
  const world = await makeWorld(service)
  for (const text of texts) await say(world.as(world.ada.id), [world.publicGroup.id], text)
  return world
}

describe('a search finds', () => {
  test('new messages, with their authors and excerpts, newest first', async () => {
    const world = await withTexts('The **build** broke', 'nothing', 'Who broke the build?')
    const { edges, nodes, pageInfo } = await page(world.app.token, { query: 'build' })
    expect(edges.map(({ excerpt, node }: (typeof edges)[0]) => [excerpt, node.user.name])).toEqual([
      ['Who broke the <mark>build</mark>?', 'Ada'],
      ['The <mark>build</mark> broke', 'Ada'],
    ])
    expect(nodes).toEqual(edges.map(({ node: { id, text } }: (typeof edges)[0]) => ({ id, text })))
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[1].cursor,
    })
  })

  // PostgreSQL stores at most 255 positions of a word, and no position above 16,383.
  test.each([
    ['龍鳳呈祥', `${'天地玄黃宇宙洪荒日'.repeat(2000)}龍鳳呈祥`],
    ['10.0.0.2', `${'10.0.0.1 '.repeat(300)}10.0.0.2`],
    ['"w270 the"', Array.from({ length: 300 }, (_, number) => `the w${number}`).join(' ')],
    ['"w270 the w2*"', Array.from({ length: 300 }, (_, number) => `the w${number}`).join(' ')],
    ['"alpha beta"', `${'q '.repeat(17_000)}alpha beta`],
  ])('the phrase %s anywhere in a long text', async (phrase, text) => {
    const world = await withTexts(text, `word ${text}`)
    expect(await found(world, phrase)).toEqual([`word ${text}`, text])
    expect(await found(world, `word -"${phrase.replaceAll('"', '')}"`)).toEqual([])
  })

  test('no phrase if its words are far apart in a long text', async () => {
    const world = await withTexts(`${'q '.repeat(16_381)}omega ${'z '.repeat(1200)}theta`)
    expect(await found(world, 'omega theta')).toHaveLength(1)
    expect(await found(world, '"omega theta"')).toEqual([])
  })

  test('words, phrases, prefixes and alternatives, but nothing that is excluded', async () => {
    const [fox, dog, both, snake] = ['quick brown fox', 'brown lazy dog', 'The fox; the dog.', 'snake_case']
    const world = await withTexts(fox, dog, both, snake)
    const expected: [string, string[]][] = [
      ['brown', [dog, fox]],
      ['dog brown', [dog]],
      ['"quick brown"', [fox]],
      ['"brown quick"', []],
      ['fox -"dog"', [fox]],
      ['dog -lazy', [dog]],
      ['dog -"lazy dog"', [both]],
      ['lazy OR quick', [dog, fox]],
      ['fox OR snake -"quick"', [snake, both]],
      ['qui* OR la*', [dog, fox]],
      ['qui', []],
      ['bro*', [dog, fox]],
      ['snake_case', [snake]],
      ['case snake', [snake]],
      ['"case snake"', []],
    ]
    for (const [text, texts] of expected) expect([text, await found(world, text)]).toEqual([text, texts])
  })

  test.each([
    ['café', 'Un CAFE\u0301 noir'],
    ['STRASSE', 'In der Straße'],
    ['елка', 'Новогодняя ЁЛКА'],
    ['οδοσ', 'ΟΔΟΣ 5'],
    ['北京', '我们明天去北京开会'],
    ['コーヒー', '熱いコーヒーを飲む'],
    ['한국어', '저는 한국어 공부해요'],
    ['한국*', '저는 한국어를 공부해요'],
    ['हिन्दी', 'मुझे हिन्दी आती है'],
    ['مرحبا', 'مرحبا بالعالم'],
    ['שלום', 'שלום עולם'],
    ['ข้าวผัด', 'ฉันชอบกินข้าวผัด'],
    ['a\ufeffb c', 'first\na\ufeffb c\nlast'],
    ['ab c', 'first\na\ufeffb c\nlast'],
    ['a\ufeffb', 'ab'],
  ])('%s in %s', async (text, said) => {
    const world = await withTexts(said, 'nothing of it')
    expect(await found(world, text)).toEqual([said])
  })

  test('a pasted line that has a letter or a digit', async () => {
    const lines = [
      'rm -rf /tmp/x',
      'git push --force -v origin HEAD~2:refs/heads/a-b',
      'OR',
      'OR OR -x OR',
      'this OR -that',
      'from:ada in:builds has:link -before:2026-01-31',
      '* a starred* line* of* many* s*t*a*r*s* and* more* and more* and* **bold**',
      '-1',
      '(-) 5',
      "it's a.b@example.com; 10.0.0.1 v2.10.1 at 2026-11-26T09:30:00.123Z",
      '["a": -b, {c}] && d || !e <-> f:* \\\\g'.replaceAll('"', "'"),
      '北京-上海 -東京',
      'x '.repeat(499),
      Array.from({ length: 200 }, (_, number) => `-${number}`).join(' '),
    ]
    const world = await withTexts(...lines)
    for (const line of lines)
      for (const text of [line, `${line}*`])
        expect([text, await found(world, text)]).toEqual([text, expect.arrayContaining([line])])
  })

  test('a version after a v, and a date before a time, but nothing that only resembles them', async () => {
    const texts = [
      'Released v2.10.1',
      'Released 2.10.1.',
      'at 2026-11-26T09:30:00Z',
      'on 2026-11-26',
      'v2.10.10',
    ]
    const [prefixed, bare, timestamp, day, other] = texts
    const world = await withTexts(...texts)
    const expected: [string, (string | undefined)[]][] = [
      ['2.10.1', [bare, prefixed]],
      ['(2.10.1)', [bare, prefixed]],
      ['2.10', [other, bare, prefixed]],
      ['"2.10.1"', [bare]],
      ['v2.10.1', [prefixed]],
      ['Released -"2.10.1"', [prefixed]],
      ['2026-11-26', [day, timestamp]],
      ['2026-11-26,', [day, timestamp]],
      ['"2026-11-26"', [day]],
      ['2026-11-2', []],
    ]
    for (const [text, answer] of expected) expect([text, await found(world, text)]).toEqual([text, answer])
  })

  test('a mention by its name, but not by its scheme or ID', async () => {
    const world = await makeWorld(service)
    const text = `Ask [Ada Lovelace](skein:${world.ada.id}) about it`
    await say(world.as(world.grace.id), [world.publicGroup.id], text)
    expect(await found(world, '"ada lovelace" about')).toEqual([text])
    expect(await found(world, 'skein')).toEqual([])
    expect(await found(world, 'usr')).toEqual([])
  })

  test('a mention, which the excerpt shows with the current name if its ID is in the workspace', async () => {
    const world = await makeWorld(service)
    const [{ ada }, stranger] = [world, newID('usr')]
    const text = `Ask [Lovelace](skein:${ada.id}) or [Bob](skein:${stranger}) about it`
    await say(world.as(world.grace.id), [world.publicGroup.id], text)
    const { edges } = await page(world.app.token, { query: 'about' })
    expect(edges[0].excerpt).toBe('Ask @Ada or Bob <mark>about</mark> it')
  })

  test('the current text of a message, but not its old text', async () => {
    const world = await makeWorld(service)
    const [thread, key] = [world.publicGroup.id, { uniqueBy: 'k' }]
    await post(world, thread, 'one before', key)
    expect(await found(world, 'before')).toEqual(['one before'])
    await post(world, thread, 'one after', key)
    expect([await found(world, 'before'), await found(world, 'one'), await found(world, 'after')]).toEqual([
      [],
      ['one after'],
      ['one after'],
    ])
  })

  test('no message without text', async () => {
    const world = await withTexts('gone tomorrow', 'gone today')
    expect(await found(world, 'gone')).toHaveLength(2)
    await world.operator.db.message.updateMany({
      where: { workspaceID: world.workspaceID, text: 'gone today' },
      data: { text: '' },
    })
    expect(await found(world, 'gone')).toEqual(['gone tomorrow'])
  })

  test('the first message of a thread, and messages in DMs and chats', async () => {
    const world = await makeWorld(service)
    const { as, ada, app, publicGroup, workspaceID } = world
    await say(as(ada.id), [publicGroup.id], 'word in a thread', 'Subject')
    await say(as(ada.id), [app.userID], 'word in a DM')
    await say(as(ada.id), [workspaceID], 'word in General')
    expect(await found(world, 'word')).toEqual(['word in General', 'word in a DM', 'word in a thread'])
  })

  test('the best match first: a short text with many hits that are close together', async () => {
    const texts = [
      'fox',
      'the fox is far from the long and winding road that leads to the dog',
      'nothing',
      'fox and dog',
      'fox dog',
      'fox dog, fox dog',
    ] as const
    const world = await withTexts(...texts)
    const best = await found(world, 'fox dog', { order: 'best' })
    expect(best).toEqual([texts[5], texts[4], texts[3], texts[1]])
  })

  test('very long messages, and words of any length', async () => {
    const long = `${'padding '.repeat(3000)} needle ${'x'.repeat(5000)} ${'京'.repeat(5000)}`
    const world = await withTexts(long)
    for (const text of ['needle', 'padding', 'x'.repeat(5000), '京京'])
      expect(await found(world, text)).toEqual([long])
    const { edges } = await page(world.app.token, { query: 'needle' })
    expect(edges[0].excerpt).toMatch(/^… .*<mark>needle<\/mark>/)
  })
})

describe('the filter', () => {
  async function withPlaces() {
    const world = await makeWorld(service)
    const { as, ada, grace, publicGroup, privateGroup, operator, app, webhook } = world
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    const chat = await say(as(ada.id), [publicGroup.id], 'word 1 by Ada')
    await say(as(grace.id), [publicGroup.id], 'word 2 by Grace')
    await sleep(2) // Messages of different threads are sorted by their milliseconds.
    const named = await say(as(ada.id), [publicGroup.id, privateGroup.id], 'word 3 by Ada', 'S')
    await sleep(2)
    await say(as(ada.id), [privateGroup.id], 'word 4 by Ada')
    await sleep(2)
    const fileID = (await uploadToWebhook(service, webhook.path, 'bytes')).json().id
    await post(world, publicGroup.id, 'word 5 with a file', { attachments: [fileID] })
    const filtered = async (filter: object) =>
      (await found(world, 'word', { filter })).map((text) => text.split(' ')[1]).join('')
    return { ...world, chat, named, filtered }
  }

  test('accepts a thread, a group, an author and attachments, alone and combined', async () => {
    const { filtered, chat, named, publicGroup, privateGroup, ada, grace } = await withPlaces()
    const [threadID, groupID, authorID] = [chat.thread.id, publicGroup.id, ada.id]
    expect(await filtered({})).toBe('54321')
    expect(await filtered({ threadID })).toBe('521')
    expect(await filtered({ threadID: named.thread.id })).toBe('3')
    expect(await filtered({ groupID })).toBe('5321')
    expect(await filtered({ groupID: privateGroup.id })).toBe('43')
    expect(await filtered({ authorID })).toBe('431')
    expect(await filtered({ authorID: grace.id })).toBe('2')
    expect(await filtered({ hasAttachment: true })).toBe('5')
    expect(await filtered({ hasAttachment: false })).toBe('4321')
    expect(await filtered({ groupID, authorID, hasAttachment: false })).toBe('31')
    expect(await filtered({ threadID, authorID: grace.id, hasAttachment: true })).toBe('')
    expect(await filtered({ threadID: null, groupID: null, authorID: null, hasAttachment: null })).toBe(
      '54321',
    )
  })

  test('accepts createdAfter and createdBefore, and refuses invalid times', async () => {
    const world = await withTexts('word 1', 'word 2', 'word 3')
    const times = await world.operator.db.message.findMany({
      where: { workspaceID: world.workspaceID },
      orderBy: { position: 'asc' },
    })
    const [first, , last] = times.map(({ createdAt }) => createdAt.toISOString())
    const by = (filter: object) => found(world, 'word', { filter })
    expect(await by({ createdAfter: first })).not.toContain('word 1')
    expect(await by({ createdAfter: first })).toContain('word 3')
    expect(await by({ createdBefore: last })).not.toContain('word 3')
    expect(await by({ createdBefore: last })).toContain('word 1')
    expect(await by({ createdAfter: last, createdBefore: first })).toEqual([])
    expect(await by({ createdAfter: '0000-01-01T00:00:00Z' })).toHaveLength(3)
    expect(await by({ createdBefore: '9999-12-31T23:59:59.999999-12:00' })).toHaveLength(3)
    for (const text of [
      'message 7',
      '5',
      '2026-02-31T00:00:00Z',
      '2026-01-01T00:00',
      '2026-01-01',
      '+275760-09-13T00:00:00Z',
      7,
      '',
    ]) {
      const { errors } = await ask(world.app.token, { query: 'word', filter: { createdAfter: text } })
      expect([text, errors?.[0]?.extensions.code]).toEqual([text, 'INVALID_INPUT'])
    }
  })

  test('returns nothing for hidden objects, and for objects that do not exist', async () => {
    const { filtered, operator, app, named, privateGroup, chat } = await withPlaces()
    await removeMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    const other = await makeWorld(service)
    const { thread } = await say(other.as(other.ada.id), [other.publicGroup.id], 'word of others')
    expect(await filtered({ threadID: named.thread.id })).toBe('3')
    expect(await filtered({ groupID: privateGroup.id })).toBe('')
    for (const filter of [
      { threadID: thread.id },
      { threadID: newID('thr') },
      { threadID: app.userID },
      { threadID: `${chat.thread.id}' | 'word` },
      { groupID: other.publicGroup.id },
      { groupID: newID('grp') },
      { groupID: 'x' },
      { authorID: other.ada.id },
      { authorID: newID('usr') },
      { authorID: chat.thread.id },
    ]) {
      expect([filter, await filtered(filter)]).toEqual([filter, ''])
    }
  })
})

describe('any text is a valid query', () => {
  const texts = [
    '',
    ' ',
    '-"word"',
    '-"word" -"other"',
    '"',
    '*',
    '-',
    '-"word" OR',
    '()',
    '\u0000',
    '\ud800',
    '🎉',
    '\u202e',
    '%',
  ]

  test.each(texts)('%j contains no word, and finds nothing', async (text) => {
    expect(await found(await withTexts('word other * OR 🎉'), text)).toEqual([])
  })

  test('with any characters and operators', async () => {
    const world = await withTexts('word other')
    const parts = [
      'word',
      '"',
      '-',
      '*',
      'OR',
      "'",
      '\\',
      '(',
      ')',
      '&',
      '|',
      '!',
      '<->',
      ':*',
      ':A',
      '\u0000',
      '\ud83c',
      '京',
      ' ',
      "''",
      '$1',
      '--',
    ]
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let turn = 0; turn < 150; turn++) {
      const text = Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('')
      expect(
        await ask(world.app.token, { query: text, order: turn % 2 ? 'best' : 'newest' }),
      ).not.toHaveProperty('errors')
    }
    for (const text of [
      'word '.repeat(20_000),
      '"word '.repeat(10_000),
      '-'.repeat(100_000),
      'x'.repeat(100_000),
    ]) {
      expect(await ask(world.app.token, { query: text })).not.toHaveProperty('errors')
    }
  })
})

describe('a search is refused', () => {
  test.each([
    ['first', { first: 101 }],
    ['last', { last: -1 }],
    ['last', { first: 1, last: 1 }],
    ['after', { after: 'x' }],
    ['before', { before: Buffer.from('["messages found, best first","1"]').toString('base64url') }],
    ['filter.threadID', { filter: { threadID: '' } }],
    ['filter.groupID', { filter: { groupID: 'a\u0000' } }],
    ['filter.authorID', { filter: { authorID: 'x'.repeat(256) } }],
  ])('for the invalid argument %s in %j, even without search words', async (field, variables) => {
    const { app } = await makeWorld(service)
    for (const text of ['word', '']) {
      const answer = await ask(app.token, { query: text, ...variables })
      expect(answer.errors).toMatchObject([
        { path: ['searchMessages'], extensions: { code: 'INVALID_INPUT', errors: [{ field }] } },
      ])
    }
  })

  test('with a cursor of the other order or of another list', async () => {
    const { app } = await withTexts('word')
    const cursorOf = async (order: string) =>
      (await page(app.token, { query: 'word', order })).pageInfo.endCursor
    const [newest, best] = [await cursorOf('newest'), await cursorOf('best')]
    const threads = (await service.graphql(app.token, '{ threads { pageInfo { endCursor } } }')).data.threads
    for (const variables of [
      { after: best },
      { after: newest, order: 'best' },
      { before: threads.pageInfo.endCursor },
    ]) {
      const answer = await ask(app.token, { query: 'word', ...variables })
      expect(answer.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }])
    }
  })

  test('without a token, without the scope, and for the operator', async () => {
    const world = await withTexts('word')
    const anyone = await service.app.inject({
      method: 'POST',
      url: '/public/graphql',
      payload: { query, variables: { query: 'x' } },
    })
    expect(anyone.statusCode).toBe(401)
    const { operator, workspaceID } = world
    const writer = await makeApp(service, operator, workspaceID, ['threads.messages:write', 'groups:read'])
    const reader = await makeApp(service, operator, workspaceID, ['threads.messages:read'])
    const codeFor = async (token: string) =>
      (await ask(token, { query: 'word' })).errors?.[0]?.extensions.code
    expect([await codeFor(writer.token), await codeFor(operatorToken)]).toEqual([
      'INSUFFICIENT_SCOPE',
      'FORBIDDEN',
    ])
    expect(await found({ app: reader }, 'word')).toEqual(['word'])
  })
})

describe('a search finds nothing', () => {
  test('from other workspaces, whatever the query contains', async () => {
    const world = await withTexts('secret word')
    const stranger = await withTexts('own word')
    expect(await found(stranger, 'word')).toEqual(['own word'])
    for (const text of [
      'secret',
      'sec*',
      world.workspaceID,
      `word OR ${world.workspaceID}`,
      `"${world.workspaceID}"`,
    ]) {
      expect(await found(stranger, text)).not.toContain('secret word')
    }
  })

  test('from private groups without membership, and from threads and DMs of others', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, publicGroup, privateGroup, operator, app } = world
    await say(as(ada.id), [privateGroup.id], 'word in the private chat')
    await say(as(ada.id), [privateGroup.id], 'word in a private thread', 'S')
    await say(as(ada.id), [grace.id], 'word between two')
    await say(as(ada.id), [grace.id], 'word among two', 'S')
    await say(as(ada.id), [publicGroup.id], 'word for all')
    expect(await found(world, 'word')).toEqual(['word for all'])
    const members = { groupID: privateGroup.id, userIDs: [app.userID] }
    await addMembers(operator, members)
    expect(await found(world, 'word')).toEqual([
      'word for all',
      'word in a private thread',
      'word in the private chat',
    ])
    await removeMembers(operator, members)
    expect(await found(world, 'word')).toEqual(['word for all'])
  })
})

test('a hundred concurrent writers each find their own message', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup } = world
  const writeAndSearch = async (_: unknown, number: number) => {
    await say(as(ada.id), [publicGroup.id], `both word${number}`)
    return found(world, `word${number}`)
  }
  const answers = await Promise.all(Array.from({ length: 100 }, writeAndSearch))
  expect(answers).toEqual(answers.map((_, number) => [`both word${number}`]))
  expect(await found(world, 'both', { first: 100 })).toHaveLength(100)
})
