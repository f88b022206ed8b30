import * as api from '../generated/sdk.ts'
import { nodesOf, required, type TypedDocument, withEdge } from './requests/graphql.ts'
import type { CallOptions } from './requests/http.ts'

type Choices = {
  /** Reads the messages after the message with this cursor. */
  after?: string
  /** Reads the last n messages. */
  last?: number
  /** Reads a page around the message with this ID. */
  around?: string
  /** Reads the messages of other users that the caller has not read. */
  unread?: boolean
}

/** An object with at most one of the properties of `T`. */
type OneOf<T> = {
  [Name in keyof T]-?: Pick<T, Name> & { [Other in Exclude<keyof T, Name>]?: undefined }
}[keyof T]

/** Selects the messages to read. By default, all. Give at most one of `after`, `last`, `around` and `unread`. */
export type MessagesOptions = CallOptions & OneOf<Choices>

type Variables = Omit<api.MessagesQueryVariables, 'threadID'>
type Page = NonNullable<NonNullable<api.MessagesQuery['thread']>['messages']>
/** A message with its cursor in the thread. */
export type ThreadMessage = Page['edges'][number]['node'] & { cursor: string }

export type SendDocument = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options: CallOptions,
) => Promise<Result>

const pageSize = 100

export function refuseTwoChoices({ after, last, around, unread }: MessagesOptions): void {
  const chosen = Object.entries({ after, last, around, unread }).filter(([, value]) => value !== undefined)
  if (chosen.length > 1)
    throw new TypeError(`Give only one of ${chosen.map(([name]) => name).join(' and ')}.`)
}

export async function* readMessages(
  request: SendDocument,
  threadID: string,
  { after, last, around, unread, ...options }: MessagesOptions,
): AsyncGenerator<ThreadMessage, void, undefined> {
  const load = async (variables: Variables): Promise<Page> => {
    const { thread } = await request(api.MessagesDocument, { threadID, ...variables }, options)
    return required(required(thread).messages)
  }
  if (last !== undefined) yield* await latest(load, last)
  else if (around !== undefined) yield* (await load({ around })).edges.map(withEdge)
  else if (unread) yield* unreadMessages(request, threadID, load, options)
  else yield* nodesOf(after, load)
}

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
  request: SendDocument,
  threadID: string,
  load: (variables: Variables) => Promise<Page>,
  options: CallOptions,
): AsyncGenerator<ThreadMessage, void, undefined> {
  const { thread, me } = await request(api.ReadUpToDocument, { threadID }, options)
  for await (const message of nodesOf(required(thread).readUpTo?.cursor, load)) {
    if (message.user.id !== me.id) yield message
  }
}
