import * as api from '../generated/sdk.ts'
import { given, nodesOf, type TypedDocument, withEdge } from './graphql.ts'
import type { CallOptions } from './http.ts'

/** Which messages of a thread to read: all of them by default, oldest first. Give one of these. */
export type MessagesOptions = CallOptions & {
  /** Those after the cursor of a message that was read before. */
  after?: string
  /** So many of the latest. */
  last?: number
  /** A page around the message with this ID. */
  around?: string
  /** Those that the caller has not read. */
  unread?: boolean
}

type Variables = Omit<api.MessagesQueryVariables, 'threadID'>
type Page = NonNullable<NonNullable<api.MessagesQuery['thread']>['messages']>
/** A message with its cursor in the thread. */
export type ThreadMessage = Page['edges'][number]['node'] & { cursor: string }

/** Sends a document and returns its data. */
export type Request = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options: CallOptions,
) => Promise<Result>

const pageSize = 100

/** Reads messages of a thread, oldest first. Throws a TypeError for options that contradict each other. */
export async function* readMessages(
  request: Request,
  threadID: string,
  { after, last, around, unread, ...options }: MessagesOptions,
): AsyncGenerator<ThreadMessage, void, undefined> {
  const chosen = Object.entries({ after, last, around, unread }).filter(([, value]) => value !== undefined)
  if (chosen.length > 1) {
    throw new TypeError(`Give only one of ${chosen.map(([name]) => name).join(', ')}.`)
  }
  if (last !== undefined && !(Number.isInteger(last) && last >= 0)) {
    throw new TypeError('last must be a whole number, 0 or more.')
  }
  const load = async (variables: Variables): Promise<Page> => {
    const { thread } = await request(api.MessagesDocument, { threadID, ...variables }, options)
    return given(given(thread).messages)
  }
  if (last !== undefined) yield* await latest(load, last)
  else if (around !== undefined) yield* (await load({ around })).edges.map(withEdge)
  else if (unread) yield* unreadMessages(request, threadID, load, options)
  else yield* nodesOf(after, load)
}

/** Reads backwards, page by page. */
async function latest(
  load: (variables: Variables) => Promise<Page>,
  count: number,
): Promise<ThreadMessage[]> {
  let found: ThreadMessage[] = []
  let before: string | null | undefined
  do {
    const { edges, pageInfo } = await load({ last: Math.min(pageSize, count - found.length), before })
    found = [...edges.map(withEdge), ...found]
    before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null
  } while (before && found.length < count)
  return found
}

async function* unreadMessages(
  request: Request,
  threadID: string,
  load: (variables: Variables) => Promise<Page>,
  options: CallOptions,
): AsyncGenerator<ThreadMessage, void, undefined> {
  const { thread, me } = await request(api.ReadUpToDocument, { threadID }, options)
  for await (const message of nodesOf(given(thread).readUpTo?.cursor, load)) {
    if (message.user.id !== me.id) yield message
  }
}
