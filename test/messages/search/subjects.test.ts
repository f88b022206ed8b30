import { expect, test } from 'vitest'
import { noteEvents } from '../../../src/events/note-events.ts'
import { sequenceEvents } from '../../../src/events/sequence-events.ts'
import { deleteMessage } from '../../../src/messages/delete-message.ts'
import { indexMessages } from '../../../src/messages/search/indexing/index-messages.ts'
import { updateThread } from '../../../src/messages/thread-changes/update-thread.ts'
import { makeWorld, postToWebhook, say } from '../../support/factories.ts'
import { startService } from '../../support/service.ts'

const service = await startService()

async function makeThread() {
  const world = await makeWorld(service)
  const { as, ada, app, publicGroup } = world
  const started = await say(as(ada.id), [publicGroup.id], 'It is out.', 'Release of Düsseldorf')
  await say(as(ada.id), started.thread.id, 'Thanks for the release!')
  const search = async (query: string) => {
    const text =
      'query ($query: String!) { searchMessages(query: $query) { edges { excerpt node { text } } } }'
    const { data, errors } = await service.graphql(app.token, text, { query })
    expect(errors).toBeUndefined()
    const edges = data.searchMessages.edges as { excerpt: string; node: { text: string } }[]
    return edges.map(({ excerpt, node }) => [node.text, excerpt])
  }
  const rename = (subject: string | null) =>
    updateThread(as(ada.id), { threadID: started.thread.id, subject })
  return { ...world, ...started, search, rename }
}

const first = 'It is out.'

test('the first message of a thread is found by its subject, which the excerpt shows', async () => {
  const { search } = await makeThread()
  expect(await search('dusseldorf')).toEqual([[first, 'Release of <mark>Düsseldorf</mark> — It is out.']])
  expect(await search('"release of" out')).toEqual([
    [first, '<mark>Release of</mark> Düsseldorf — It is <mark>out</mark>.'],
  ])
  expect(await search('release')).toEqual([
    ['Thanks for the release!', 'Thanks for the <mark>release</mark>!'],
    [first, '<mark>Release</mark> of Düsseldorf — It is out.'],
  ])
  expect(await search('out')).toEqual([[first, 'It is <mark>out</mark>.']])
})

test('a subject is found by a word that contains a byte order mark', async () => {
  const { search, rename } = await makeThread()
  await rename('Relea\ufeffse of Bonn')
  const excerpt = '<mark>Relea\ufeffse</mark> of <mark>Bonn</mark> — It is out.'
  expect(await search('Re\ufefflease Bonn')).toContainEqual([first, excerpt])
})

test('a phrase is not found across the end of the subject and the beginning of the text', async () => {
  const { search } = await makeThread()
  expect(await search('"dusseldorf it"')).toEqual([])
  expect(await search('"it is out" -"dusseldorf it"')).toHaveLength(1)
})

test('a new subject is found immediately, and the old one is no longer found', async () => {
  const { search, rename } = await makeThread()
  await rename('Notes of Ghent')
  expect(await search('ghent out')).toEqual([
    [first, 'Notes of <mark>Ghent</mark> — It is <mark>out</mark>.'],
  ])
  expect(await search('dusseldorf')).toEqual([])
  await rename(null)
  expect(await search('ghent -"changed"')).toEqual([])
  expect(await search('out')).toEqual([[first, 'It is <mark>out</mark>.']])
})

test('an edit and a change of the subject are both found, in either order', async () => {
  const {
    webhook,
    publicGroup,
    search,
    as,
    webhook: { userID },
  } = await makeThread()
  const post = async (text: string) => {
    const body = { target: publicGroup.id, threadBy: 'k', threadSubject: 'Disk', uniqueBy: 'k', text }
    return (await postToWebhook(service, webhook.path, body)).json().threadID as string
  }
  const threadID = await post('10 GB')
  await updateThread(as(userID), { threadID, subject: 'Disk seven' })
  await post('20 GB')
  expect(await search('seven 20')).toEqual([['20 GB', 'Disk <mark>seven</mark> — <mark>20</mark> GB']])
  await updateThread(as(userID), { threadID, subject: 'Disk eight' })
  expect(await search('eight 20')).toEqual([['20 GB', 'Disk <mark>eight</mark> — <mark>20</mark> GB']])
  expect(await search('seven 20')).toEqual([])
})

test('indexing an older subject does not replace a newer one', async () => {
  const { search, operator, workspaceID, message } = await makeThread()
  expect(await search('dusseldorf')).toHaveLength(1)
  await operator.db.$executeRaw`
    UPDATE searchable_messages SET thread_changes = 1, words = ''
    WHERE workspace_id = ${workspaceID} AND message_id = ${message.id}`
  await noteEvents(operator.db, workspaceID, [{ type: 'message.updated', objectID: message.id }])
  await sequenceEvents(operator.db)
  await indexMessages(operator.db, { workspaceID, schemes: ['skein'] })
  expect(await search('dusseldorf')).toEqual([])
})

test('a subject is not found if the thread is hidden, or if the message is deleted', async () => {
  const { search, as, ada, grace, message } = await makeThread()
  await say(as(ada.id), [grace.id], 'psst', 'Secret plans')
  expect(await search('secret')).toEqual([])
  await deleteMessage(as(ada.id), { messageID: message.id })
  expect(await search('dusseldorf')).toEqual([])
})
