import { parse, print } from 'graphql'
import { ask, type GraphQLResponse, type List } from './ask.ts'

export type Tab = { query: string; variables?: string }

/** The caller's name, and documents to try. Their variables contain IDs of objects that the caller can see. */
export type ExplorerContent = { name: string; tabs: Tab[] }

/** Returns documents to try with the token. Throws an Error with the service's message if the token is not valid. */
export async function loadContent(token: string): Promise<ExplorerContent> {
  const me = await ask(token, { query: '{ me { id name } }' })
  if (me.data?.me) return { name: me.data.me.name, tabs: await userTabs(token, me.data.me.id) }
  const workspaces = await ask(token, { query: '{ workspaces(first: 1) { nodes { id } } }' })
  if (workspaces.data?.workspaces)
    return { name: 'The operator', tabs: operatorTabs(idIn(workspaces, 'workspaces')) }
  throw new Error(me.errors?.[0]?.message ?? 'The service returned no data.')
}

async function userTabs(token: string, me: string): Promise<Tab[]> {
  const first = async (list: string, selection = 'id') =>
    ask(token, { query: `{ ${list} { nodes { ${selection} } } }` })
  const people = await first('users(first: 100)', 'id kind')
  const person = people.data?.users?.nodes.find(({ kind }) => kind === 'person')?.id ?? 'usr_...'
  const groups = await first('groups(first: 100)', 'id isGeneral')
  const group = groups.data?.groups?.nodes.find(({ isGeneral }) => !isGeneral)?.id ?? 'grp_...'
  const thread = idIn(await first('threads(first: 1, order: lastMessage)'), 'threads') ?? 'thr_...'
  return [
    { query: whoAmI },
    { query: directMessages, variables: json({ edge: `${person}-${me}` }) },
    { query: latestThreads },
    { query: oneThread, variables: json({ id: thread }) },
    { query: send, variables: json({ input: message(group) }) },
  ]
}

function operatorTabs(workspaceID = 'wks_...'): Tab[] {
  return [{ query: allWorkspaces }, { query: oneWorkspace, variables: json({ id: workspaceID }) }]
}

function message(group: string) {
  return {
    thread: { recipients: [group], subject: 'From the explorer' },
    message: { text: '**Hello** from the explorer' },
  }
}

function idIn({ data }: GraphQLResponse, list: List): string | undefined {
  return data?.[list]?.nodes[0]?.id
}

function json(variables: object): string {
  return JSON.stringify(variables, null, 2)
}

const whoAmI = printed('query WhoAmI { me { id name groups { nodes { id name } } } }')

const directMessages = `# The DM of the token's user and another user. The ID consists of both users' IDs.
${printed(`query DirectMessages($edge: ID!) {
  node(id: $edge) { ... on UserEdge { persistentChatEdge { node {
    id isPeristentChat
    recipients { edges { node { id name } } }
    messages(last: 10) { nodes { text user { name } } }
  } } } }
}`)}`

const latestThreads = printed(`query LatestThreads {
  threads(first: 10, order: lastMessage) {
    nodes { id subject threadType lastActivityAt recipients { nodes { id name } } }
    pageInfo { hasNextPage endCursor }
  }
}`)

const oneThread = printed(`query OneThread($id: ID!) {
  thread(id: $id) {
    subject
    messages(last: 10) { nodes { id text html createdAt user { name } attachments { nodes { name size } } } }
  }
}`)

const send = printed(`mutation Send($input: SendMessageInput!) {
  sendMessage(input: $input) { created thread { id subject } messageEdge { cursor node { id text } } }
}`)

const allWorkspaces = printed('query Workspaces { workspaces { nodes { id name createdAt } } }')

const oneWorkspace = printed(`query Workspace($id: ID!) {
  workspace(id: $id) {
    name
    users { nodes { id name kind } }
    installations { nodes { app { id name } scopes } }
    webhooks { nodes { id name disabledAt } }
  }
}`)

/** Returns a document with one field on each line, as the editor shows it. */
function printed(document: string): string {
  return `${print(parse(document))}\n`
}
