import { expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { makeWorld, postToWebhook, say, uploadToWebhook } from '../support/factories.ts'
import { type GraphQLAnswer, startService } from '../support/service.ts'
import { changes, makeCast, makeWorkspaceAdmin, unknownGroup } from './cast.ts'

const service = await startService()

/** Creates a private group with a thread, a chat, a file, and a thread whose recipients include a public group. */
async function makeHidden() {
  const cast = await makeCast(service, { isPrivate: true })
  const { operator, as, admin, groupID, publicGroup, webhook, ada } = cast
  await addMembers(operator, { groupID, userIDs: [webhook.userID, ada.id] })
  const own = await say(as(admin.userID), [groupID], 'Hushed', 'Hushed plans')
  const chat = await say(as(admin.userID), [groupID], 'Hushed')
  const mixed = await say(as(ada.id), [groupID, publicGroup.id], `[them](skein:${groupID})`, 'Open plans')
  const fileID: string = (await uploadToWebhook(service, webhook.path, 'Hushed bytes')).json().id
  const body = { target: groupID, text: 'Hushed file', attachments: [fileID] }
  const { messageID } = (await postToWebhook(service, webhook.path, body)).json()
  const hidden = [groupID, own.thread.id, own.message.id, chat.thread.id, chat.message.id, messageID, fileID]
  return { ...cast, hidden, mixedID: mixed.thread.id }
}

const everyList = `query ($workspaceID: ID!, $mixedID: ID!) {
  groups(first: 20) { edges { cursor node { ...Parts } } nodes { id } }
  users(first: 20) { nodes { name groups(first: 20) { nodes { id name memberCount } } } }
  threads(first: 20) { edges { cursor node { id subject
    recipients(first: 20) { nodes { id name } } messages(first: 20) { nodes { html } } } } }
  latest: threads(order: lastMessage) { nodes { id } }
  thread(id: $mixedID) { recipients { edges { cursor node { id name } } } messages { nodes { html } } }
  workspace(id: $workspaceID) { groups(first: 20) { nodes { ...Parts } } generalGroup { ...Parts } } }
  fragment Parts on Group { id name memberCount viewerRole chat { id }
    members(first: 20) { edges { cursor node { groups(first: 20) { nodes { id } } } } } }`

/** Returns an answer as text, followed by its decoded cursors. */
function textOf(answer: GraphQLAnswer): string {
  const plain = JSON.stringify(answer)
  const cursors = plain.match(/"[\w-]{20,}"/g) ?? []
  return [plain, ...cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString())].join('\n')
}

test('a private group is in every list of a member', async () => {
  const { member, workspaceID, mixedID, hidden, groupID } = await makeHidden()
  const answer = await service.graphql(member.token, everyList, { workspaceID, mixedID })
  expect(answer).not.toHaveProperty('errors')
  expect(textOf(answer).split(groupID).length).toBeGreaterThan(10)
  const { data } = await service.graphql(member.token, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: hidden,
  })
  expect(data.nodes).toEqual(hidden.map((id) => ({ id })))
})

test('other users, even workspace admins, see a private group neither in a list nor by its ID', async () => {
  const cast = await makeHidden()
  const { stranger, workspaceID, mixedID, hidden } = cast
  for (const isAdmin of [false, true]) {
    if (isAdmin) await makeWorkspaceAdmin(cast, stranger)
    const answer = await service.graphql(stranger.token, everyList, { workspaceID, mixedID })
    expect(answer).not.toHaveProperty('errors')
    const text = textOf(answer)
    expect([...hidden, 'Crew', 'Hushed'].filter((word) => text.includes(word))).toEqual([])
    expect(text).toContain('Open plans')
    const { data } = await service.graphql(
      stranger.token,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      {
        ids: hidden,
      },
    )
    expect(data.nodes).toEqual(hidden.map(() => null))
  }
})

test('every mutation returns the same NOT_FOUND for private groups, unknown groups and groups of other workspaces', async () => {
  const [cast, other] = [await makeCast(service, { isPrivate: true }), await makeWorld(service)]
  const { change, stranger, groupID } = cast
  await makeWorkspaceAdmin(cast, stranger)
  for (const [name, rest] of changes(cast)) {
    const answers = await Promise.all(
      [groupID, unknownGroup(), other.publicGroup.id, other.privateGroup.id, other.workspaceID].map((id) =>
        change(stranger.token, name, { groupID: id, ...rest }),
      ),
    )
    const said = answers.map(({ data, errors }) =>
      JSON.stringify([data, errors?.map(({ message, path, extensions: { code } }) => [message, path, code])]),
    )
    expect(new Set(said)).toEqual(
      new Set([
        JSON.stringify([
          { [name]: null },
          [['The group does not exist, or you cannot see it.', [name], 'NOT_FOUND']],
        ]),
      ]),
    )
  }
})

test('sendMessage returns the same NOT_FOUND for a private group and an unknown group', async () => {
  const { change, stranger, groupID } = await makeCast(service, { isPrivate: true })
  const said = await Promise.all(
    [groupID, unknownGroup()].flatMap((id) =>
      [undefined, 'Subject'].map(async (subject) => {
        const input = { thread: { recipients: [id], subject }, message: { text: 'x' } }
        const { data, errors } = await change(stranger.token, 'sendMessage', input)
        return JSON.stringify([data, errors?.[0]?.message, errors?.[0]?.extensions.code])
      }),
    ),
  )
  expect(new Set(said).size).toBe(1)
  expect(said[0]).toContain('NOT_FOUND')
})
