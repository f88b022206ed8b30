import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()

describe('the ID of the workspace means the General group', () => {
  const meanings = (['workspaceID', 'generalGroupID'] as const).map((name) => [name] as const)
  const ask = async (world: World, query: string, variables: object) => {
    const { data, errors } = await service.graphql(world.app.token, query, variables)
    expect(errors).toBeUndefined()
    return data
  }

  test.each(meanings)('in queries (%s)', async (name) => {
    const world = await makeWorld(service)
    const general = { id: world.generalGroupID }
    const { thread, message } = await say(world.as(world.ada.id), [general.id], 'hello', 'Subject')
    await say(world.as(world.ada.id), [world.publicGroup.id], 'hello', 'Elsewhere')
    const data = await ask(
      world,
      `query ($id: ID!, $workspaceID: ID!) {
        group(id: $id) { id }
        workspace(id: $workspaceID) { group(id: $id) { id } }
        threads(filter: { groupID: $id }) { nodes { id } }
        searchMessages(query: "hello", filter: { groupID: $id }) { nodes { id } } }`,
      { id: world[name], workspaceID: world.workspaceID },
    )
    expect(data).toEqual({
      group: general,
      workspace: { group: general },
      threads: { nodes: [thread] },
      searchMessages: { nodes: [message] },
    })
  })

  test.each(meanings)('among recipients (%s)', async (name) => {
    const world = await makeWorld(service)
    const { app, ada, generalGroupID } = world
    const namesIn = (payload: { thread: { recipients: { nodes: { id: string }[] } } }) =>
      payload.thread.recipients.nodes.map(({ id }) => id)
    const fields = 'thread { id recipients { nodes { id } } }'
    const thread = { recipients: [world[name], ada.id, generalGroupID], subject: 'x' }
    const sent = await mutated(service, app.token, 'sendMessage', { thread, message: { text: 'x' } }, fields)
    expect(namesIn(sent)).toEqual([generalGroupID, ada.id])
    const input = { threadID: sent.thread.id, recipientIDs: [world[name]] }
    const removed = await mutated(service, app.token, 'removeRecipients', input, fields)
    expect(removed.thread).toBeNull()
    const kept = { recipients: [app.userID, ada.id], subject: 'y' }
    const other = await mutated(
      service,
      app.token,
      'sendMessage',
      { thread: kept, message: { text: 'x' } },
      fields,
    )
    const added = await mutated(
      service,
      app.token,
      'addRecipients',
      { ...input, threadID: other.thread.id },
      fields,
    )
    expect(namesIn(added)).toEqual([generalGroupID, ...[app.userID, ada.id].sort()])
    const change = { ...input, threadID: other.thread.id }
    const without = await mutated(
      service,
      app.token,
      'removeRecipients',
      change,
      `removedRecipientIDs ${fields}`,
    )
    expect(without.removedRecipientIDs).toEqual([generalGroupID])
  })

  test('in mentions, and both IDs count as one mention', async () => {
    const { as, app, ada, workspaceID, generalGroupID, publicGroup } = await makeWorld(service)
    const text = `[a](skein:${workspaceID}) [b](skein:${generalGroupID})`
    const { message } = await say(as(ada.id), [publicGroup.id], text)
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { html mentions { nodes { id } } } } }'
    const { data } = await service.graphql(app.token, query, { id: message.id })
    expect(data.node.mentions.nodes).toEqual([{ id: generalGroupID }])
    expect(data.node.html.match(/@General/g)).toHaveLength(2)
  })

  test('only in this workspace', async () => {
    const [{ app }, other] = [await makeWorld(service), await makeWorld(service)]
    const query = 'query ($id: ID!) { group(id: $id) { id } }'
    for (const id of [other.workspaceID, other.generalGroupID]) {
      const answer = await service.graphql(app.token, query, { id })
      expect([answer.data, answer.errors?.[0]?.extensions.code]).toEqual([{ group: null }, 'NOT_FOUND'])
    }
  })
})

describe('a webhook', () => {
  test('finds the same chat and threadBy thread by either ID, even in parallel requests', async () => {
    const { webhook, workspaceID, generalGroupID } = await makeWorld(service)
    const post = async (more: object) => {
      const answer = await postToWebhook(service, webhook.path, { text: 'x', ...more })
      expect(answer.statusCode).toBe(200)
      return answer.json().threadID
    }
    const targets = [workspaceID, generalGroupID, workspaceID]
    const chats = await Promise.all(targets.map((target) => post({ target })))
    const key = { threadBy: 'k', threadSubject: 'Build' }
    const together = await Promise.all(targets.map((target) => post({ target, ...key })))
    const later = await post({ target: generalGroupID, threadBy: 'k' })
    expect([new Set(chats).size, new Set([...together, later]).size]).toEqual([1, 1])
  })
})
