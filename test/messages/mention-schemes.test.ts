import { expect, test } from 'vitest'
import { makeWorld, say } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService({ MENTION_SCHEMES: 'skein, threads.com' })

test('mentions of every configured scheme are recognized, and the service writes mentions with the first scheme', async () => {
  const world = await makeWorld(service)
  const { app, ada, grace, publicGroup } = world
  const text = `[A](skein:${ada.id}) [G](Threads.com:${grace.id}) [X](other:${ada.id})`
  const { thread } = await say(world.as(ada.id), [publicGroup.id], text, 'Subject')
  const query = `query ($id: ID!) { thread(id: $id) { messages { nodes { html mentions { nodes { id } } } } } }`
  const answer = await service.graphql(app.token, query, { id: thread.id })
  const [message] = answer.data.thread.messages.nodes
  expect(message.mentions.nodes.map(({ id }: { id: string }) => id)).toEqual([ada.id, grace.id].sort())
  expect(message.html).toContain('@Grace')
  expect(message.html).toContain(`[X](other:${ada.id})`)
  const found = await service.graphql(app.token, `{ searchMessages(query: "\\"A G\\"") { nodes { id } } }`)
  expect(found.data.searchMessages.nodes).toHaveLength(1)
  const input = { threadID: thread.id, recipientIDs: [grace.id] }
  const selection = 'messageEdges { node { text } }'
  const { messageEdges } = await mutated(service, app.token, 'addRecipients', input, selection)
  expect(messageEdges[0].node.text).toContain(`(skein:${grace.id})`)
})
