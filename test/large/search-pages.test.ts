import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { noteEvents } from '../../src/events/note-events.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { indexMessages } from '../../src/messages/search/indexing/index-messages.ts'
import type { SearchInput } from '../../src/messages/search/search-input.ts'
import { searchMessages } from '../../src/messages/search/search-messages.ts'
import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const world = await makeVolume()
type Seeded = (typeof world)['messages'][number]

const queries: [string, (text: Set<string>) => boolean][] = [
  ['alpha', (words) => words.has('alpha')],
  ['alpha beta', (words) => words.has('alpha') && words.has('beta')],
  ['alpha -"beta"', (words) => words.has('alpha') && !words.has('beta')],
  ['beta OR rare', (words) => words.has('beta') || words.has('rare')],
  ['alp* -"delta"', (words) => words.has('alpha') && !words.has('delta')],
  ['rare', (words) => words.has('rare')],
  ['alpha rare', (words) => words.has('alpha') && words.has('rare')],
  ['some', (words) => words.has('some')],
  ['early', (words) => words.has('early')],
  ['alpha early', (words) => words.has('alpha') && words.has('early')],
  ['absent', () => false],
]

describe.each([
  ['many threads', world.as(world.ada.id), ({ place }: Seeded) => place !== 'hidden'],
  ['few threads', world.as(world.few.id), ({ place }: Seeded) => place === 'few' || place === 'public'],
  ['a few public threads', world.as(world.webhook.userID), ({ place }: Seeded) => place === 'public'],
])('a reader of %s gets all pages of the matching messages, in order, for', (_who, ctx, sees) => {
  test.each(queries)('%s', async (query, matches) => {
    await expectPages(ctx, query, (message) => sees(message) && matches(message.words))
  })

  test('queries with filters', async () => {
    const [middle] = world.messages.slice(world.messages.length / 2)
    const at = middle?.createdAt ?? new Date()
    const filters: [SearchInput['filter'], (message: Seeded) => boolean][] = [
      [{ createdBefore: at }, ({ createdAt }) => createdAt < at],
      [{ createdAfter: at }, ({ createdAt }) => createdAt > at],
      [{ authorID: world.grace.id }, ({ authorID }) => authorID === world.grace.id],
      [
        { authorID: world.grace.id, createdBefore: at },
        (m) => m.authorID === world.grace.id && m.createdAt < at,
      ],
      [{ threadID: middle?.threadID }, ({ threadID }) => threadID === middle?.threadID],
      [{ groupID: world.privateGroup.id }, ({ place }) => place === 'few'],
      [{ groupID: world.publicGroup.id }, ({ place }) => place === 'public'],
      [{ hasAttachment: true }, () => false],
    ]
    for (const [filter, holds] of filters) {
      for (const [query, matches] of queries.filter((_, index) => [0, 2, 4, 5].includes(index))) {
        const expected = world.messages.filter((m) => sees(m) && holds(m) && matches(m.words))
        const newest = expected.map(({ id }) => id).reverse()
        const search = { query, filter, order: 'newest' } as const
        const page = await searchMessages(ctx, search, { first: 100 })
        expect([filter, query, page.nodes.map(({ id }) => id)]).toEqual([filter, query, newest.slice(0, 100)])
        expect(page.pageInfo.hasNextPage).toBe(newest.length > 100)
        const last = await searchMessages(ctx, search, { last: 10 })
        expect(last.nodes.map(({ id }) => id)).toEqual(newest.slice(-10))
      }
    }
  })
})

describe('pages', () => {
  test('between two cursors contain the messages between them', async () => {
    const ctx = world.as(world.ada.id)
    for (const query of ['alpha', 'some', 'rare']) {
      for (const order of ['newest', 'best'] as const) {
        const { edges } = await searchMessages(ctx, { query, order }, { first: 8 })
        const between = { after: edges[1]?.edge.cursor, before: edges[6]?.edge.cursor }
        const ids = edges.map(({ edge }) => edge.node.id)
        const idsOf = async (args: object) =>
          (await searchMessages(ctx, { query, order }, { ...between, ...args })).nodes.map(({ id }) => id)
        expect(await idsOf({})).toEqual(ids.slice(2, 6))
        expect(await idsOf({ first: 2 })).toEqual(ids.slice(2, 4))
        expect(await idsOf({ last: 2 })).toEqual(ids.slice(4, 6))
      }
    }
  })

  test.each(['newest', 'best'] as const)('in order %s do not change while others write', async (order) => {
    const own = await makeWorld(service)
    const { as, ada, publicGroup } = own
    const ctx = as(ada.id)
    const write = (count: number, text: string) =>
      Promise.all(Array.from({ length: count }, () => say(ctx, [publicGroup.id], text)))
    await write(30, 'word')
    const before = await pagesForward(ctx, { query: 'word', order }, 100)
    const seen: string[] = []
    for (let after: string | null | undefined; ; ) {
      const page = await searchMessages(ctx, { query: 'word', order }, { first: 7, after })
      seen.push(...page.nodes.map(({ id }) => id))
      await write(5, 'word word word')
      after = page.pageInfo.endCursor
      if (!page.pageInfo.hasNextPage) break
    }
    expect(seen).toEqual(before)
  })

  test.each([
    'newest',
    'best',
  ] as const)('in order %s contain messages that were just sent', async (order) => {
    const { as, ada, publicGroup } = await makeWorld(service)
    const ctx = as(ada.id)
    const write = (text: string) =>
      Promise.all(Array.from({ length: 150 }, () => say(ctx, [publicGroup.id], text)))
    // The first search for a word reads an index without the word, and the second reads an index with 150 of it.
    const found: number[] = []
    for (const text of ['known', 'known', 'novel', 'novel']) {
      await write(text)
      found.push((await pagesForward(ctx, { query: text, order }, 40)).length)
    }
    expect(found).toEqual([150, 300, 150, 300])
  })

  test('with a size of 0 are empty', async () => {
    const ctx = world.as(world.ada.id)
    for (const query of ['alpha', 'rare']) {
      const { pageInfo } = await searchMessages(ctx, { query }, { first: 0 })
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo
      expect({ hasNextPage, hasPreviousPage, startCursor, endCursor }).toEqual({
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: null,
        endCursor: null,
      })
    }
  })
})

/** Expects that the pages of a query contain exactly these messages, in both orders and directions. */
async function expectPages(ctx: Context, query: string, isExpected: (message: Seeded) => boolean) {
  const newest = world.messages
    .filter(isExpected)
    .map(({ id }) => id)
    .reverse()
  expect(await firstPage(ctx, { query, order: 'newest' }, 30)).toEqual(newest.slice(0, 30))
  // Reading all pages of every query would take a third of the time of all search tests.
  const length = query === 'alpha' ? newest.length : 300
  expect(await pagesForward(ctx, { query, order: 'newest' }, 97, length)).toEqual(newest.slice(0, length))
  expect(await lastPages(ctx, { query, order: 'newest' }, 97)).toEqual(newest.slice(-2 * 97))
  const best = await pagesForward(ctx, { query, order: 'best' }, 97)
  expect(new Set(best)).toEqual(new Set(newest.slice(0, 1000)))
  expect(best).toHaveLength(Math.min(newest.length, 1000))
  expect(await lastPages(ctx, { query, order: 'best' }, 97)).toEqual(best.slice(-2 * 97))
}

async function firstPage(ctx: Context, search: SearchInput, first: number): Promise<string[]> {
  return (await searchMessages(ctx, search, { first })).nodes.map(({ id }) => id)
}

/** Reads all pages, or the pages with the first `length` messages. Returns the IDs of the messages. */
async function pagesForward(
  ctx: Context,
  search: SearchInput,
  size: number,
  length = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null | undefined; ; ) {
    const { nodes, pageInfo } = await searchMessages(ctx, search, { first: size, after })
    ids.push(...nodes.map(({ id }) => id))
    after = pageInfo.endCursor
    if (!pageInfo.hasNextPage || ids.length > length) return ids.slice(0, length)
  }
}

/** Returns the IDs of the last two pages, read backward. */
async function lastPages(ctx: Context, search: SearchInput, size: number): Promise<string[]> {
  const { nodes, pageInfo } = await searchMessages(ctx, search, { last: size })
  const ids = nodes.map(({ id }) => id)
  if (!pageInfo.hasPreviousPage) return ids
  const earlier = await searchMessages(ctx, search, { last: size, before: pageInfo.startCursor })
  return [...earlier.nodes.map(({ id }) => id), ...ids]
}

/**
 * Creates 2500 threads, more than `maxFewThreads`. The first 500 threads have two messages, and the others have one.
 * The messages come in pairs with the same creation time. Ada is a recipient of most threads, and cannot see about an
 * eighth of the threads. Ada and another person are members of the private group, which is the recipient of about 200 threads.
 * Everyone sees the few threads whose recipient is the public group.
 */
async function makeVolume() {
  const made = await makeWorld(service)
  const { operator, workspaceID, publicGroup, privateGroup, ada, grace } = made
  const { db } = operator
  const few = await createPerson(operator, { workspaceID, name: 'Few' })
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [few.id] })
  const count = 2500
  const threads = Array.from({ length: count }, (_, number) => ({ id: newID('thr'), place: placeOf(number) }))
  const recipientOf = {
    few: { groupID: privateGroup.id },
    public: { groupID: publicGroup.id },
    hidden: { userID: grace.id },
    open: { userID: ada.id },
  }
  const withTwo = 500
  const plain = { workspaceID, kind: 'thread', startedByID: grace.id }
  await db.thread.createMany({
    data: threads.map(({ id }, number) => {
      const lastPosition = number < withTwo ? 2 : 1
      const lastActivityAt = timeOf(number < withTwo ? count + number : number)
      return { ...plain, id, lastPosition, lastActivityAt }
    }),
  })
  await db.recipient.createMany({
    data: threads.map(({ id, place }) => ({ workspaceID, threadID: id, ...recipientOf[place] })),
  })
  const messages = Array.from({ length: count + withTwo }, (_, number) => {
    const { id: threadID, place } = threads[number % count] as (typeof threads)[number]
    return {
      id: `msg_${String(number).padStart(27, '0')}`,
      threadID,
      place,
      position: Math.floor(number / count) + 1,
      authorID: number % 5 === 0 ? grace.id : ada.id,
      createdAt: timeOf(number),
      words: new Set(wordsOf(number)),
    }
  })
  await db.message.createMany({
    data: messages.map(({ place: _place, words, ...message }) => ({
      workspaceID,
      ...message,
      text: [...words].join(' '),
    })),
  })
  for (let begin = 0; begin < messages.length; begin += 128) {
    const batch = messages.slice(begin, begin + 128)
    await noteEvents(
      db,
      workspaceID,
      batch.map(({ id }) => ({ type: 'message.created', objectID: id })),
    )
  }
  await sequenceEvents(db)
  while ((await indexMessages(db, { workspaceID, schemes: ['skein'] })).hasMore) {}
  return { ...made, few, messages }
}

function timeOf(number: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 2))
}

function placeOf(number: number): 'few' | 'public' | 'hidden' | 'open' {
  if (number % 110 === 2) return 'public'
  if (number % 11 === 1) return 'few'
  return number % 7 === 3 ? 'hidden' : 'open'
}

function wordsOf(number: number): string[] {
  const words = [`n${number}`]
  if (number % 2 === 0 || number % 11 < 3) words.push('alpha')
  if (number % 3 === 0) words.push('beta')
  if (number % 100 < 40) words.push('some')
  if (number % 300 === 7 || number % 1100 === 1) words.push('rare')
  if (number % 11 === 0) words.push('delta')
  if (number < 900) words.push('early')
  return words
}
