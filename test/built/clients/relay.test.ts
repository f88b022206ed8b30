import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from 'graphql-sse'
import {
  type ConcreteRequest,
  ConnectionHandler,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  getSelector,
  Network,
  Observable,
  type ReaderFragment,
  RecordSource,
  requestSubscription,
  type SingularReaderSelector,
  Store,
} from 'relay-runtime'
import { afterAll, describe, expect, test } from 'vitest'
import { editMessage } from '../../../src/messages/edit-message.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startLiveService } from '../../support/live-service.ts'
import { repository } from '../../support/process.ts'
import { operatorToken } from '../../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test states the response that it expects
type Data = any

const service = await startLiveService()
const folder = await mkdtemp(join(tmpdir(), 'skein-relay-'))
const compiled = await compile()
const artifacts = await load()
afterAll(() => rm(folder, { recursive: true }))

/** Runs Relay's compiler, returns its output, and fails if a query does not match the schema or Relay's rules. */
async function compile(): Promise<string> {
  await copyFile(join(repository, 'docs/schema.graphql'), join(folder, 'schema.graphql'))
  await copyFile(join(repository, 'test/built/clients/relay/chat.js'), join(folder, 'chat.js'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const config = {
    language: 'javascript',
    src: '.',
    schema: 'schema.graphql',
    artifactDirectory: 'artifacts',
    eagerEsModules: true,
  }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
  await mkdir(join(folder, 'artifacts'))
  const compiler = join(repository, 'node_modules/relay-compiler/cli.js')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [compiler], { cwd: folder })
  return stdout + stderr
}

async function load() {
  const artifact = async <T>(name: string): Promise<T> => {
    const { href } = pathToFileURL(join(folder, `artifacts/${name}.graphql.js`))
    return (await import(/* @vite-ignore */ href)).default
  }
  const operation = (name: string) => artifact<ConcreteRequest>(name)
  return {
    page: await operation('chatPageQuery'),
    refetch: await operation('chatMessagesRefetchQuery'),
    edge: await operation('chatEdgeQuery'),
    general: await operation('chatGeneralQuery'),
    people: await operation('chatPeopleQuery'),
    send: await operation('chatSendMutation'),
    follow: await operation('chatFollowSubscription'),
    createPerson: await operation('chatCreatePersonMutation'),
    deletePerson: await operation('chatDeletePersonMutation'),
    messages: await artifact<ReaderFragment>('chat_messages'),
    message: await artifact<ReaderFragment>('chat_message'),
  }
}

/** Creates a Relay environment that fetches from the service. */
function environmentOf(token: string): Environment {
  const events = createClient({ url: service.url, headers: { authorization: `Bearer ${token}` } })
  const network = Network.create(
    async ({ text }, variables) => service.graphql(token, text ?? '', variables) as never,
    ({ text }, variables) =>
      Observable.create<GraphQLResponse>((sink) =>
        events.subscribe({ query: text ?? '', variables }, sink as never),
      ),
  )
  return new Environment({ network, store: new Store(new RecordSource()) })
}

async function fetchData(environment: Environment, query: ConcreteRequest, variables: object): Promise<Data> {
  return fetchQuery(environment, query, variables as never).toPromise()
}

/** Returns what the store contains for a fragment. */
function read(environment: Environment, fragment: ReaderFragment, reference: unknown): Data {
  const selector = getSelector(fragment, reference) as SingularReaderSelector
  const { data, isMissingData } = environment.lookup(selector)
  expect(isMissingData).toBe(false)
  return data
}

async function commit(environment: Environment, mutation: ConcreteRequest, variables: object): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onCompleted = (_data: unknown, errors: unknown) => (errors ? reject(errors) : resolve())
    commitMutation(environment, { mutation, variables: variables as never, onCompleted, onError: reject })
  })
}

/** Creates a thread with these messages. */
async function makeThread(texts: string[]) {
  const world = await makeWorld(service)
  const [ada, [first = '', ...others]] = [world.as(world.ada.id), texts]
  const { thread } = await say(ada, [world.publicGroup.id], first, 'Subject')
  for (const text of others) await say(ada, thread.id, text)
  return { world, id: thread.id, environment: environmentOf(world.app.token) }
}

test("Relay's compiler accepts fragments, connections, refetching and edges of mutations", () => {
  expect(compiled).not.toMatch(/error|warn/i)
  expect(artifacts.messages.metadata).toMatchObject({
    connection: [{ direction: 'bidirectional', path: ['messages'] }],
    refetch: { identifierInfo: { identifierField: 'id', identifierQueryVariableName: 'id' } },
  })
})

describe("Relay's store", () => {
  test('pages forward and keeps the messages that it has', async () => {
    const { id, environment } = await makeThread(['1', '2', '3', '4', '5'])
    const { load, texts, info } = pager(environment, id)
    await load({ first: 2 })
    expect([texts(), info().hasNextPage]).toEqual([['1', '2'], true])
    await load({ first: 2, after: info().endCursor })
    expect([texts(), info().hasNextPage]).toEqual([['1', '2', '3', '4'], true])
    await load({ first: 2, after: info().endCursor })
    expect([texts(), info().hasNextPage]).toEqual([['1', '2', '3', '4', '5'], false])
  })

  test('pages backward and keeps the messages that it has', async () => {
    const { id, environment } = await makeThread(['1', '2', '3', '4', '5'])
    const { load, texts, info } = pager(environment, id)
    await load({ last: 2 })
    expect([texts(), info().hasPreviousPage]).toEqual([['4', '5'], true])
    await load({ last: 2, before: info().startCursor })
    expect([texts(), info().hasPreviousPage]).toEqual([['2', '3', '4', '5'], true])
    await load({ last: 2, before: info().startCursor })
    expect([texts(), info().hasPreviousPage]).toEqual([['1', '2', '3', '4', '5'], false])
  })

  test('updates a thread from another query when it refetches the thread by its ID', async () => {
    const { world, id, environment } = await makeThread(['1'])
    const { load, texts } = pager(environment, id)
    const { thread } = await fetchData(environment, artifacts.page, { id })
    await say(world.as(world.ada.id), id, '2')
    await load({})
    expect(texts()).toEqual(['1', '2'])
    expect(read(environment, artifacts.messages, thread).messages.edges).toHaveLength(2)
  })

  test('stores the DM of a UserEdge under the ID of its thread', async () => {
    const { world, environment } = await makeThread(['1'])
    const dm = await say(world.as(world.ada.id), [world.app.userID], 'Only you')
    const id = `${world.ada.id}-${world.app.userID}`
    const { node } = await fetchData(environment, artifacts.edge, { id })
    const thread = read(environment, artifacts.messages, node.persistentChatEdge.node)
    expect(thread.id).toBe(dm.thread.id)
    expect(read(environment, artifacts.message, thread.messages.edges[0].node).text).toBe('Only you')
  })

  test('stores the workspace and its General group as two records', async () => {
    const { workspaceID, generalGroupID, app } = await makeWorld(service)
    const environment = environmentOf(app.token)
    await fetchData(environment, artifacts.general, { id: workspaceID })
    const data = await fetchFromStore(environment, artifacts.general, { id: workspaceID })
    expect(data).toEqual({
      workspace: {
        __typename: 'Workspace',
        id: workspaceID,
        name: 'Workshop',
        generalGroup: { id: generalGroupID, name: 'General' },
      },
      group: { id: generalGroupID, isGeneral: true },
    })
    const typeOf = (id: string) => environment.getStore().getSource().get(id)?.__typename
    expect([typeOf(workspaceID), typeOf(generalGroupID)]).toEqual(['Workspace', 'Group'])
  })

  test('appends the edge that a mutation returns only once', async () => {
    const { id, environment } = await makeThread(['1'])
    const { load, texts, info } = pager(environment, id)
    await load({ first: 10 })
    const connections = [ConnectionHandler.getConnectionID(id, 'chat_messages')]
    const input = { threadID: id, message: { text: '2', uniqueBy: 'two' } }
    await commit(environment, artifacts.send, { input, connections })
    expect(texts()).toEqual(['1', '2'])
    const edited = { ...input, message: { ...input.message, text: '2, edited' } }
    await commit(environment, artifacts.send, { input: edited, connections })
    expect(texts()).toEqual(['1', '2, edited'])
    await load({ first: 10, after: info().endCursor })
    expect(texts()).toEqual(['1', '2, edited'])
  })

  test('appends the messages of a subscription only once', async () => {
    const { world, id, environment } = await makeThread(['1'])
    const { load, texts } = pager(environment, id)
    await load({ first: 10 })
    const { data } = await service.graphql(world.app.token, '{ latestEventCursor }')
    const connections = [ConnectionHandler.getConnectionID(id, 'chat_messages')]
    const variables = { id, after: data.latestEventCursor, connections }
    const { dispose } = requestSubscription(environment, { subscription: artifacts.follow, variables })
    const { message } = await say(world.as(world.ada.id), id, '2')
    await say(world.as(world.ada.id), id, '3')
    await expect.poll(texts).toEqual(['1', '2', '3'])
    await editMessage(world.as(world.ada.id), { messageID: message.id, text: '2, edited' })
    await expect.poll(texts).toEqual(['1', '2, edited', '3'])
    dispose()
  })

  test('appends the users that the operator creates and removes those that it deletes', async () => {
    const { workspaceID } = await makeWorld(service)
    const environment = environmentOf(operatorToken)
    const names = async () => {
      const { workspace } = await fetchFromStore(environment, artifacts.people, { id: workspaceID })
      return workspace.users.edges.map(({ node }: { node: { name: string } }) => node.name)
    }
    await fetchData(environment, artifacts.people, { id: workspaceID })
    const before = await names()
    const connections = [ConnectionHandler.getConnectionID(workspaceID, 'chat_users')]
    const input = { workspaceID, name: 'Barbara' }
    await commit(environment, artifacts.createPerson, { input, connections })
    expect(await names()).toEqual([...before, 'Barbara'])
    const { db } = service.contextOf({ kind: 'operator' })
    const { id: userID } = await db.user.findFirstOrThrow({ where: { workspaceID, name: 'Barbara' } })
    await commit(environment, artifacts.deletePerson, { input: { userID }, connections })
    expect(await names()).toEqual(before)
  })
})

/** Reads the messages of a thread page by page, as a component with Relay's pagination would. */
function pager(environment: Environment, id: string) {
  let thread: unknown
  const load = async (variables: object) => {
    thread = (await fetchData(environment, artifacts.refetch, { id, ...variables })).node
  }
  const list = () => read(environment, artifacts.messages, thread).messages
  const texts = (): string[] =>
    list().edges.map(({ node }: { node: unknown }) => read(environment, artifacts.message, node).text)
  return { load, texts, info: () => list().pageInfo }
}

/** Returns what the store contains for a query, without a request to the service. */
async function fetchFromStore(
  environment: Environment,
  query: ConcreteRequest,
  variables: object,
): Promise<Data> {
  const operation = createOperationDescriptor(query, variables as never)
  return environment.lookup(operation.fragment).data
}
