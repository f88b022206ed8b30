import type { Call } from './load.ts'
import type { World } from './worlds.ts'

const json = { 'content-type': 'application/json' }
const messageID = /^msg_[0-9A-Za-z]{27}$/
const threadID = /^thr_[0-9A-Za-z]{27}$/
const filler = 'the disk of the build machine is filling up and somebody should look at it '.repeat(3)

let texts = 0

/** Returns a text of about 200 characters, a different one each time. */
export function nextText(): string {
  texts++
  return `Alert ${texts}: ${filler}`.slice(0, 200)
}

export function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}

type Posted = { messageID?: string; threadID?: string; created?: boolean }

/** Returns a webhook POST. The response must contain the IDs, and say whether the message was created. */
export function post(
  world: World,
  body: { target: string; [field: string]: string },
  expected: { created?: boolean; onThread?: (threadID: string) => void } = {},
): Call {
  return {
    method: 'POST',
    path: world.webhookPath,
    headers: json,
    body: JSON.stringify({ ...body, text: nextText() }),
    check: (answer) => {
      const posted = answer as Posted
      const isThere = messageID.test(posted.messageID ?? '') && threadID.test(posted.threadID ?? '')
      const isOther = body.target.startsWith('thr_') && posted.threadID !== body.target
      if (!isThere || isOther || posted.created !== (expected.created ?? true)) throw unexpected(answer)
      expected.onThread?.(posted.threadID ?? '')
      return posted.created ? 'made' : 'answered'
    },
  }
}

/** Returns a webhook POST, and its text. */
export function postText(world: World, target: string): Call & { text: string } {
  const text = nextText()
  return { ...post(world, { target }), text, body: JSON.stringify({ target, text }) }
}

/** Returns a token request that has the client secret in its body. */
export function askForToken(world: World): Call {
  return {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: world.form,
    check: (answer) => {
      const token = answer as { access_token?: string; token_type?: string; user_id?: string }
      const isToken = /^[0-9a-f]{64}$/.test(token.access_token ?? '') && token.token_type === 'Bearer'
      if (!isToken || token.user_id !== world.appUserID) throw unexpected(answer)
      return 'made'
    },
  }
}

export const meQuery = '{ me { id name } }'

export const pageQuery = `query ($id: ID!) {
  thread(id: $id) {
    id subject
    messages(first: 50) {
      nodes { id text createdAt user { id name } attachments { nodes { id name } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const listQuery = `{
  threads(order: lastMessage, first: 50) {
    nodes {
      id subject
      recipients(first: 10) { nodes { ... on User { id name } ... on Group { id name } } }
      messages(last: 1) { nodes { id text createdAt user { id name } } }
    }
  }
}`

export const unreadQuery = `{
  threads(order: lastMessage, first: 50) {
    nodes { id subject unreadCount messages(last: 1) { nodes { id text createdAt user { id name } } } }
  }
}`

const reactMutation = `mutation ($input: AddReactionInput!) {
  addReaction(input: $input) { message { id } }
}`

const readMutation = `mutation ($input: MarkReadInput!) {
  markRead(input: $input) { thread { id unreadCount } }
}`

/** Returns a call that adds a reaction that does not exist yet. */
export function react(world: World, messageID: string, emoji: string): Call {
  const expect = (data: unknown) => {
    const { message } = (data as { addReaction: { message: { id: string } } }).addReaction
    if (message.id !== messageID) throw unexpected(data)
  }
  const call = query(world, reactMutation, { input: { messageID, emoji } }, expect)
  const check: Call['check'] = (answer) => {
    call.check(answer)
    return 'made'
  }
  return { ...call, check }
}

export function markRead(world: World, threadID: string, upTo: string): Call {
  const expect = (data: unknown) => {
    const { thread } = (data as { markRead: { thread: { id: string; unreadCount: number } } }).markRead
    if (thread.id !== threadID || !(thread.unreadCount >= 0)) throw unexpected(data)
  }
  return query(world, readMutation, { input: { threadID, upToMessageID: upTo } }, expect)
}

export const searchQuery = `query ($words: String!) {
  searchMessages(query: $words, first: 50) {
    edges { excerpt node { id text createdAt user { id name } } }
    pageInfo { hasNextPage endCursor }
  }
}`

/** Returns a GraphQL query with the token of the world's app. `expect` throws if the data is wrong. */
export function query(world: World, text: string, variables: object, expect: (data: unknown) => void): Call {
  return {
    method: 'POST',
    path: '/public/graphql',
    headers: { ...json, authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ query: text, variables }),
    check: checkData(expect),
  }
}

/** Returns a GET request to a baseline whose response has the form of a GraphQL response. */
export function get(path: string, expect: (data: unknown) => void): Call {
  return { method: 'GET', path, check: checkData(expect) }
}

/** Requires a GraphQL response with data and without errors. */
function checkData(expect: (data: unknown) => void): Call['check'] {
  return (answer) => {
    const { data, errors } = answer as { data?: unknown; errors?: unknown }
    if (errors || !data) throw unexpected(answer)
    expect(data)
    return 'answered'
  }
}

export type Page = {
  thread: {
    id: string
    messages: { nodes: { id: string; user: { id: string } }[]; pageInfo: { endCursor: string | null } }
  }
}

export function expectPage(id: string, messages: number): (data: unknown) => void {
  return (data) => {
    const { thread } = data as Page
    const nodes = thread.messages.nodes
    const areThere = nodes.every((node) => messageID.test(node.id) && node.user.id.startsWith('usr_'))
    if (thread.id !== id || nodes.length !== messages || !areThere) throw unexpected(data)
  }
}

/** Expects exactly this many messages, each with the word and an excerpt that shows it. */
export function expectFound(word: string, messages: number): (data: unknown) => void {
  const expectOnly = expectAtMostFound(word, messages)
  return (data) => {
    expectOnly(data)
    if ((data as Found).searchMessages.edges.length !== messages) throw unexpected(data)
  }
}

/** Expects at most this many messages, each with the word and an excerpt that shows it. */
export function expectAtMostFound(word: string, messages: number): (data: unknown) => void {
  return (data) => {
    const { edges } = (data as Found).searchMessages
    const isFound = ({ excerpt, node }: (typeof edges)[number]) =>
      node.text.toLowerCase().includes(word) && excerpt.toLowerCase().includes(`<mark>${word}</mark>`)
    if (edges.length > messages || !edges.every(isFound)) throw unexpected(data)
  }
}

type Found = { searchMessages: { edges: { excerpt: string; node: { text: string } }[] } }

export function expectList(threads: number): (data: unknown) => void {
  return (data) => {
    const { nodes } = (data as { threads: { nodes: List } }).threads
    const isWhole = ({ id, recipients, messages }: List[number]) =>
      threadID.test(id) && recipients.nodes.length > 0 && messages.nodes.length === 1
    if (nodes.length !== threads || !nodes.every(isWhole)) throw unexpected(data)
  }
}

type List = { id: string; recipients: { nodes: object[] }; messages: { nodes: object[] } }[]

export function expectUnread(threads: number): (data: unknown) => void {
  return (data) => {
    const { nodes } = (
      data as { threads: { nodes: { unreadCount: number; messages: { nodes: object[] } }[] } }
    ).threads
    const isWhole = ({ unreadCount, messages }: (typeof nodes)[number]) =>
      unreadCount >= 0 && messages.nodes.length === 1
    if (nodes.length !== threads || !nodes.every(isWhole)) throw unexpected(data)
  }
}

export function expectMe(world: World): (data: unknown) => void {
  return (data) => {
    if ((data as { me: { id: string } }).me.id !== world.appUserID) throw unexpected(data)
  }
}

export function unexpected(answer: unknown): Error {
  return new Error(`unexpected answer: ${JSON.stringify(answer)?.slice(0, 300)}`)
}
