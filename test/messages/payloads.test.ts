import { expect, test } from 'vitest'
import { makeWorld, say, type World } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { onceCommitted } from '../support/once-committed.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const ofMessage = 'message { id text thread { id } user { id } }'
const ofThread = 'thread { id subject unreadCount recipients { nodes { id } } }'
const ofChange = `${ofThread} messageEdges { cursor node { id } }`

type Site = World & { threadID: string; own: string; asked: string }
type Case = {
  input: (site: Site) => object
  selection: string
  isCommitted: (site: Site) => Promise<boolean>
  answer: (site: Site) => object
}

const thread = ({ threadID }: Site) => ({ id: threadID, subject: 'S' })
const message = (id: (site: Site) => string) => (site: Site) => ({
  message: { id: id(site), thread: { id: site.threadID } },
})
const count = (rows: Promise<number>, wanted: number) => rows.then((found) => found === wanted)

const cases: Record<string, Case> = {
  sendMessage: {
    input: ({ threadID }) => ({ threadID, message: { text: 'late' } }),
    selection: `created ${ofThread} ${ofMessage} messageEdge { cursor node { id } } threadEdge { node { id } }`,
    isCommitted: ({ operator, threadID }) =>
      count(operator.db.message.count({ where: { threadID, text: 'late' } }), 1),
    answer: (site) => ({
      created: true,
      thread: thread(site),
      message: { text: 'late', thread: { id: site.threadID }, user: { id: site.app.userID } },
      messageEdge: { node: { id: expect.any(String) } },
      threadEdge: { node: { id: site.threadID } },
    }),
  },
  editMessage: {
    input: ({ own }) => ({ messageID: own, text: 'late' }),
    selection: ofMessage,
    isCommitted: ({ operator, own }) =>
      count(operator.db.message.count({ where: { id: own, text: 'late' } }), 1),
    answer: message(({ own }) => own),
  },
  deleteMessage: {
    input: ({ own }) => ({ messageID: own }),
    selection: ofMessage,
    isCommitted: ({ operator, own }) => count(operator.db.message.count({ where: { id: own, text: '' } }), 1),
    answer: message(({ own }) => own),
  },
  addReaction: {
    input: ({ asked }) => ({ messageID: asked, emoji: '🎉' }),
    selection: 'message { id thread { id } reactions { nodes { emoji viewerHasReacted } } }',
    isCommitted: ({ operator, asked }) =>
      count(operator.db.reaction.count({ where: { messageID: asked, emoji: '🎉' } }), 1),
    answer: message(({ asked }) => asked),
  },
  removeReaction: {
    input: ({ asked }) => ({ messageID: asked, emoji: '👍' }),
    selection: 'message { id thread { id } reactions { nodes { emoji } } }',
    isCommitted: ({ operator, asked }) =>
      count(operator.db.reaction.count({ where: { messageID: asked, emoji: '👍' } }), 0),
    answer: message(({ asked }) => asked),
  },
  markRead: {
    input: ({ threadID }) => ({ threadID }),
    selection: `${ofThread}`,
    isCommitted: ({ operator, threadID, app }) =>
      count(operator.db.read.count({ where: { threadID, userID: app.userID, readUpTo: 3 } }), 1),
    answer: (site) => ({ thread: { ...thread(site), unreadCount: 0 } }),
  },
  markUnread: {
    input: ({ threadID, asked }) => ({ threadID, fromMessageID: asked }),
    selection: `${ofThread} __typename`,
    isCommitted: ({ operator, threadID, app }) =>
      count(operator.db.read.count({ where: { threadID, userID: app.userID, readUpTo: 1 } }), 1),
    answer: (site) => ({ thread: { ...thread(site), unreadCount: 2 } }),
  },
  updateThread: {
    input: ({ threadID }) => ({ threadID, closed: true }),
    selection: ofChange,
    isCommitted: ({ operator, threadID }) =>
      count(operator.db.thread.count({ where: { id: threadID, closedAt: { not: null } } }), 1),
    answer: (site) => ({ thread: thread(site), messageEdges: [{ node: { id: expect.any(String) } }] }),
  },
  addRecipients: {
    input: ({ threadID, grace }) => ({ threadID, recipientIDs: [grace.id] }),
    selection: ofChange,
    isCommitted: ({ operator, threadID, grace }) =>
      count(operator.db.recipient.count({ where: { threadID, userID: grace.id } }), 1),
    answer: (site) => ({ thread: thread(site), messageEdges: [{ node: { id: expect.any(String) } }] }),
  },
  removeRecipients: {
    input: ({ threadID, webhook }) => ({ threadID, recipientIDs: [webhook.userID] }),
    selection: `removedRecipientIDs ${ofChange}`,
    isCommitted: ({ operator, threadID, webhook }) =>
      count(operator.db.recipient.count({ where: { threadID, userID: webhook.userID } }), 0),
    answer: (site) => ({
      thread: thread(site),
      removedRecipientIDs: [site.webhook.userID],
      messageEdges: [{ node: { id: expect.any(String) } }],
    }),
  },
}

/** Creates a thread that the app started, with one message of the app and two of Ada. The app is a recipient. */
async function makeSite(): Promise<Site> {
  const world = await makeWorld(service)
  const { as, ada, app, webhook } = world
  const { thread, message } = await say(as(app.userID), [ada.id, webhook.userID], 'first', 'S')
  const asked = await say(as(ada.id), thread.id, 'second')
  await say(as(ada.id), thread.id, 'third')
  const reaction = { messageID: asked.message.id, emoji: '👍' }
  await mutated(service, app.token, 'addReaction', reaction, 'message { id }')
  return { ...world, threadID: thread.id, own: message.id, asked: asked.message.id }
}

test.each(Object.keys(cases))('%s returns its result even if the caller is then removed', async (name) => {
  const site = await makeSite()
  const { app, operator, threadID } = site
  const { input, selection, isCommitted, answer } = cases[name] as Case
  if (name === 'markUnread') await mutated(service, app.token, 'markRead', { threadID }, 'thread { id }')
  const remove = () => operator.db.recipient.deleteMany({ where: { threadID, userID: app.userID } })
  const done = await onceCommitted(
    operator.db,
    () => isCommitted(site),
    remove,
    () => mutate(service, app.token, name, input(site), selection),
  )
  expect(done.answer.errors).toBeUndefined()
  expect(done.answer.data[name]).toMatchObject(answer(site))
  expect(done.isDone).toBe(true)
  const after = await service.graphql(app.token, `{ node(id: "${threadID}") { id } }`)
  expect(after.data.node).toBeNull()
})
