import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emoji } from '../../src/messages/reactions/emoji.ts'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { newID } from '../../src/platform/ids.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const selection = 'message { reactions { nodes { emoji count viewerHasReacted users { nodes { name } } } } }'

const offeredEmoji = new URL('../../src/console/emoji/emoji.json', import.meta.url)
const skinTones = ['🏻', '🏼', '🏽', '🏾', '🏿']

async function makeMessage() {
  const world = await makeWorld(service)
  const { message, thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'hello', 'S')
  const change = async (name: 'addReaction' | 'removeReaction', emoji: string) => {
    const input = { messageID: message.id, emoji }
    return (await mutated(service, world.app.token, name, input, selection)).message.reactions.nodes
  }
  return { ...world, message, thread, change }
}

test('a reaction is added once, is counted with the same reaction of others, and can be removed', async () => {
  const { as, ada, message, change } = await makeMessage()
  await addReaction(as(ada.id), { messageID: message.id, emoji: '🎉' })
  await change('addReaction', '👍')
  await change('addReaction', '👍')
  expect(await change('addReaction', '🎉')).toEqual([
    { emoji: '🎉', count: 2, viewerHasReacted: true, users: { nodes: [{ name: 'Ada' }, { name: 'Robot' }] } },
    { emoji: '👍', count: 1, viewerHasReacted: true, users: { nodes: [{ name: 'Robot' }] } },
  ])
  await change('removeReaction', '👍')
  await change('removeReaction', '👍')
  expect(await change('removeReaction', '🎉')).toEqual([
    { emoji: '🎉', count: 1, viewerHasReacted: false, users: { nodes: [{ name: 'Ada' }] } },
  ])
})

test('concurrent reactions are counted once for each user', async () => {
  const { operator, workspaceID, as, message, app } = await makeMessage()
  const people = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => createPerson(operator, { workspaceID, name: `P${turn}` })),
  )
  const input = { messageID: message.id, emoji: '👀' }
  await Promise.all([...people, ...people].map(({ id }) => addReaction(as(id), input)))
  const answer = await service.graphql(
    app.token,
    `{ node(id: "${message.id}") { ... on Message { reactions { nodes { emoji count users(first: 3) { nodes { id } pageInfo { hasNextPage } } } } } } }`,
  )
  const [reaction] = answer.data.node.reactions.nodes
  expect([reaction.emoji, reaction.count, reaction.users.pageInfo.hasNextPage]).toEqual(['👀', 50, true])
})

test('reactions and their users can be paged without a gap', async () => {
  const { app, message, as, ada, grace } = await makeMessage()
  const emoji = ['👍', '👎', '😀', '🇫🇷', '👩‍💻', '1️⃣']
  for (const each of emoji) {
    for (const user of [ada, grace]) await addReaction(as(user.id), { messageID: message.id, emoji: each })
  }
  const seen: string[] = []
  let after = ''
  for (let page = 0; page < 3; page += 1) {
    const answer = await service.graphql(
      app.token,
      `{ node(id: "${message.id}") { ... on Message { reactions(first: 2 ${after}) {
        nodes { emoji users(first: 1) { nodes { name } } } pageInfo { endCursor hasNextPage } } } } }`,
    )
    const { nodes, pageInfo } = answer.data.node.reactions
    seen.push(...nodes.map((node: { emoji: string }) => node.emoji))
    expect(pageInfo.hasNextPage).toBe(page < 2)
    expect(nodes[0].users.nodes).toEqual([{ name: 'Ada' }])
    after = `after: "${pageInfo.endCursor}"`
  }
  expect(seen).toEqual(emoji)
})

describe('an emoji', () => {
  test.each([
    ['👍', '👍'],
    ['👍🏽', '👍🏽'],
    ['❤', '❤️'],
    ['❤️', '❤️'],
    ['👍\ufe0f', '👍'],
    ['✋\ufe0f', '✋'],
    ['🕵🏽\u200d♂', '🕵🏽\u200d♂\ufe0f'],
    ['1\u20e3', '1️⃣'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['#️⃣', '#️⃣'],
  ])('can be %s', async (given, kept) => {
    const { change } = await makeMessage()
    expect((await change('addReaction', given))[0].emoji).toBe(kept)
  })

  test('can be any emoji in the picker of the web app, and has one form with and without variation selectors', () => {
    const { emojis }: { emojis: { emoji: string }[] } = JSON.parse(readFileSync(offeredEmoji, 'utf8'))
    const texts = emojis.map(({ emoji }) => emoji)
    const selector = '\ufe0f'
    // Keyboards also offer them with a skin tone, except the family.
    const toned = texts
      .map((text) => text.replace(selector, ''))
      .filter((text) => text !== '👪' && /^\p{Emoji_Modifier_Base}$/u.test(text))
      .flatMap((text) => skinTones.map((tone) => text + tone))
    const differing = [...texts, ...toned].filter((text) => {
      const forms = [text, text + selector, text.replaceAll(selector, '')].map((form) =>
        emoji.safeParse(form),
      )
      return new Set(forms.map(({ data }) => data)).size !== 1 || forms[0]?.success !== true
    })
    expect(texts.length).toBeGreaterThan(1800)
    expect(toned.length).toBeGreaterThan(500)
    expect(differing).toEqual([])
  })

  test.each([
    '',
    'a',
    '1',
    ':+1:',
    '👍👍',
    '👍 ',
    '👍a',
    '\u200d',
    '🇫',
    '\0',
    '👍'.repeat(40),
    '\ud83d',
  ])('cannot be %j', async (emoji) => {
    const { app, message } = await makeMessage()
    const input = { messageID: message.id, emoji }
    expect(await refused(service, app.token, 'addReaction', input, selection)).toEqual([
      'INVALID_INPUT',
      'emoji',
    ])
  })
})

describe('a reaction is refused', () => {
  test('on a deleted message', async () => {
    const { app, as, ada } = await makeMessage()
    const { message } = await say(as(app.userID), [ada.id], 'x')
    const input = { messageID: message.id, emoji: '👍' }
    await mutated(service, app.token, 'deleteMessage', { messageID: message.id }, 'message { id }')
    expect(await refused(service, app.token, 'addReaction', input, selection)).toEqual([
      'CONFLICT',
      'messageID',
    ])
    await mutated(service, app.token, 'removeReaction', input, selection)
  })

  test('without the scope, and with NOT_FOUND if the caller cannot see the message', async () => {
    const { operator, workspaceID, as, ada, grace, app, message } = await makeMessage()
    const reader = await makeApp(service, operator, workspaceID, ['threads:read'])
    const hidden = await say(as(ada.id), [grace.id], 'psst')
    const stranger = await makeWorld(service)
    for (const name of ['addReaction', 'removeReaction']) {
      const react = (token: string, messageID: string) =>
        refused(service, token, name, { messageID, emoji: '👍' }, selection)
      expect(await react(reader.token, message.id)).toEqual(['INSUFFICIENT_SCOPE'])
      for (const messageID of [hidden.message.id, newID('msg'), 'x', hidden.thread.id]) {
        expect(await react(app.token, messageID)).toEqual(['NOT_FOUND'])
      }
      expect(await react(stranger.app.token, message.id)).toEqual(['NOT_FOUND'])
    }
  })
})
