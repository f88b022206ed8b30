import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeWorld, say } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { mutate } from '../support/mutations.ts'
import { operatorToken } from '../support/service.ts'
import { latestCursor, received, subscribe, textsOf, transports } from '../support/subscribers.ts'

const service = await startLiveService()
const origin = new URL(service.url).origin

/** Creates the starter workspace, and returns what a test needs of starter.json. */
async function createStarter() {
  await service.graphql(operatorToken, 'mutation { createStarterWorkspace { path } }')
  const starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  const { workspaceID, redirectURI, webhookURL, groupID } = starter
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    subject: workspaceID,
    redirect_uri: redirectURI,
    client_id: starter.clientID,
    client_secret: starter.clientSecret,
  })
  const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const post = (text: string) =>
    fetch(`${origin}${new URL(webhookURL).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: groupID, text }),
    })
  return { token, post }
}

describe.each(transports)('when the starter workspace is removed, a subscription over %s', (transport) => {
  const follow = async (token: string) => {
    const after = await latestCursor(service, token)
    return subscribe(service.url, transport, { token, variables: { after, types: ['messageCreated'] } })
  }

  test('of another workspace goes on, although the last event was one of the starter workspace', async () => {
    const world = await makeWorld(service)
    const starter = await createStarter()
    const stream = await follow(world.app.token)
    const removed = await follow(starter.token)
    await say(world.as(world.ada.id), [world.publicGroup.id], 'before', 'S')
    await received(stream, 1)
    await starter.post('last')
    await received(removed, 1)
    await mutate(service, operatorToken, 'removeStarterWorkspace', {}, 'removedWorkspaceID')
    await say(world.as(world.ada.id), [world.publicGroup.id], 'after', 'S')
    await received(stream, 2)
    expect([textsOf(stream), stream.codes]).toEqual([['before', 'after'], []])
    expect(service.log.join('')).not.toContain('has lost events')
    const unauthenticated = transport === 'SSE' ? { codes: ['UNAUTHENTICATED'] } : { codes: [], closed: 4403 }
    expect(await removed.ended).toEqual(unauthenticated)
    stream.stop()
  })
})
