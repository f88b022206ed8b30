import { expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { makeWorld, say, type World } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const service = await startService()

async function htmlOf({ app }: World, id: string): Promise<string> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Message { text html } } }'
  return (await service.graphql(app.token, query, { id })).data.node.html
}

async function adaSays({ as, ada, workspaceID }: World, text: string): Promise<string> {
  return (await say(as(ada.id), [workspaceID], text)).message.id
}

test('Markdown is rendered, and HTML tags are shown as text', async () => {
  const world = await makeWorld(service)
  const html = await htmlOf(
    world,
    await adaSays(world, '**bold** <b>tag</b> `code` [link](https://example.com/a)'),
  )
  expect(html).toContain('<strong>bold</strong>')
  expect(html).toContain('&lt;b&gt;tag&lt;/b&gt;')
  expect(html).toContain('<code>code</code>')
  expect(html).toMatch(/<a [^>]*href="https:\/\/example\.com\/a"[^>]*>link<\/a>/)
})

test('a mention shows the current name of its user or group, not the label', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, grace, publicGroup } = world
  const text = `[Boss](skein:${grace.id}) of [Team](skein:${publicGroup.id}) and [All](skein:${workspaceID})`
  const id = await adaSays(world, text)
  const before = await htmlOf(world, id)
  for (const name of ['Grace', 'Builds', 'General']) expect(before).toContain(name)
  for (const label of ['Boss', 'Team', 'All']) expect(before).not.toContain(label)
  await updatePerson(operator, { userID: grace.id, name: 'Admiral <Hopper>' })
  expect(await htmlOf(world, id)).toContain('Admiral &lt;Hopper&gt;')
})

test('a mention of a deleted user still shows the name', async () => {
  const world = await makeWorld(service)
  const { operator, grace } = world
  const id = await adaSays(world, `[x](skein:${grace.id})`)
  await deletePerson(operator, { userID: grace.id })
  expect(await htmlOf(world, id)).toContain('Grace')
})

test('a mention of an unknown ID, or of an ID from another workspace, is plain text', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  for (const mentioned of [
    newID('usr'),
    newID('grp'),
    other.ada.id,
    other.publicGroup.id,
    other.workspaceID,
    'usr_x',
  ]) {
    const html = await htmlOf(world, await adaSays(world, `[label](skein:${mentioned})`))
    expect(html).toContain('label')
    expect(html).not.toMatch(/<a|Ada|Builds|General/)
  }
})

test('a mention of a private group shows its name only to members', async () => {
  const world = await makeWorld(service)
  const { operator, privateGroup, app } = world
  const id = await adaSays(world, `[label](skein:${privateGroup.id})`)
  expect(await htmlOf(world, id)).toBe('<p>label</p>')
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
  expect(await htmlOf(world, id)).toContain('Leads')
})
