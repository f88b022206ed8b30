import { ApolloClient, gql as apolloDocument, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import {
  Client,
  cacheExchange,
  fetchExchange,
  type SubscriptionForwarder,
  subscriptionExchange,
} from '@urql/core'
import { createClient, type Client as WebSocketClient } from 'graphql-ws'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'

const service = await startLiveService()
const world = await makeWorld(service)
const authorization = `Bearer ${world.app.token}`
const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
const query = `subscription Events($threadID: ID!, $after: String) {
  threadEvents(threadID: $threadID, after: $after) { id type message { id text } }
}`

type Heard = { text: string | undefined; id: string }
const sockets: WebSocketClient[] = []
afterAll(() => Promise.all(sockets.map((client) => client.dispose())))

async function variablesNow() {
  const { data } = await service.graphql(world.app.token, '{ latestEventCursor }')
  return { threadID: thread.id, after: data.latestEventCursor }
}

function webSocketClient(): WebSocketClient {
  const client = createClient({
    url: service.url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
  })
  sockets.push(client)
  return client
}

/** Sends messages, and expects that a client hears each of them once. */
async function expectHeard(heard: Heard[]): Promise<void> {
  for (const text of ['one', 'two', 'three']) await say(world.as(world.ada.id), thread.id, text)
  await expect.poll(() => heard.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
}

// biome-ignore lint/suspicious/noExplicitAny: the clients have different types of data
const heardIn = ({ threadEvents: { id, message } }: any): Heard => ({ id, text: message?.text })

test('Apollo Client follows a thread over a WebSocket', async () => {
  const client = new ApolloClient({ link: new GraphQLWsLink(webSocketClient()), cache: new InMemoryCache() })
  const heard: Heard[] = []
  const subscription = client
    .subscribe({ query: apolloDocument(query), variables: await variablesNow() })
    .subscribe(({ data }) => void heard.push(heardIn(data)))
  await expectHeard(heard)
  subscription.unsubscribe()
  const { data } = await client.query({ query: apolloDocument('{ me { id } }') })
  expect(data).toMatchObject({ me: { id: world.app.userID } })
  client.stop()
})

describe('urql', () => {
  /** Follows the thread, and also sends a query. */
  async function follow(client: Client) {
    const heard: Heard[] = []
    const { unsubscribe } = client
      .subscription(query, await variablesNow())
      .subscribe(({ data }) => void heard.push(heardIn(data)))
    await expectHeard(heard)
    unsubscribe()
    const { data } = await client.query('{ me { id } }', {}).toPromise()
    expect(data).toMatchObject({ me: { id: world.app.userID } })
  }

  test('follows a thread over a WebSocket', async () => {
    const socket = webSocketClient()
    const forwardSubscription: SubscriptionForwarder = ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables: variables as Record<string, unknown> },
          sink as never,
        ),
      }),
    })
    const exchanges = [cacheExchange, fetchExchange, subscriptionExchange({ forwardSubscription })]
    await follow(new Client({ url: service.url, exchanges, fetchOptions: { headers: { authorization } } }))
  })

  test('follows a thread with Server-Sent Events', async () => {
    const exchanges = [cacheExchange, fetchExchange]
    const fetchOptions = { headers: { authorization } }
    await follow(new Client({ url: service.url, exchanges, fetchOptions, fetchSubscriptions: true }))
  })

  test('shows the error of a thread that does not exist', async () => {
    const exchanges = [cacheExchange, fetchExchange]
    const fetchOptions = { headers: { authorization } }
    const client = new Client({ url: service.url, exchanges, fetchOptions, fetchSubscriptions: true })
    const { error } = await client.subscription(query, { threadID: `thr_${'0'.repeat(27)}` }).toPromise()
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' })
  })
})
