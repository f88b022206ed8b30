import * as api from '../../generated/sdk.ts'
import { SkeinError } from '../errors.ts'
import {
  dataOf,
  type GraphQLBody,
  type GraphQLError,
  graphqlRequest,
  mediaType,
  required,
  sourceOf,
} from '../requests/graphql.ts'
import type { Fetch, HTTPResponse } from '../requests/http.ts'
import type { Token, Tokens } from '../requests/tokens.ts'
import { openConnection } from './connection.ts'
import type { SkeinEvent } from './event.ts'
import type { EventFeed } from './follow-events.ts'

export type EventFilter = Omit<api.FollowEventsSubscriptionVariables, 'after'>
export type Endpoint = { fetch: Fetch; url: string; tokens: Tokens }
type Page = NonNullable<api.EventsAfterQuery['events']>
type LoadPage = (variables: api.EventsAfterQueryVariables) => Promise<Page>

/** Errors with these codes make only one field null, for example because a scope is missing. */
const refusals = new Set(['INSUFFICIENT_SCOPE', 'FORBIDDEN', 'NOT_FOUND'])

export function eventFeed<Type extends api.EventType>(
  endpoint: Endpoint,
  loadPage: LoadPage,
  filter: EventFilter,
  signal: AbortSignal | undefined,
): EventFeed<SkeinEvent<Type>> {
  return {
    connect: (after) => subscribe(endpoint, { after, ...filter }, signal),
    latest: async (after) => {
      for (;;) {
        const { nodes, pageInfo } = await loadPage({ after, ...filter })
        if (nodes.length > 0) return after
        after = required(pageInfo.endCursor)
        if (!pageInfo.hasNextPage) return after
      }
    },
  }
}

async function* subscribe<Type extends api.EventType>(
  { fetch, url, tokens }: Endpoint,
  variables: api.FollowEventsSubscriptionVariables,
  signal: AbortSignal | undefined,
): AsyncGenerator<SkeinEvent<Type>, void, undefined> {
  const body = JSON.stringify({ query: sourceOf(api.FollowEventsDocument), variables })
  const connect = async (token: Token) => {
    const request = graphqlRequest(token.value, body, `text/event-stream, ${mediaType}`)
    return { token, results: await openConnection(fetch, url, { ...request, signal }) }
  }
  const { token, results } = await tokens.use(connect, signal)
  try {
    for await (const result of results) yield eventIn<Type>(result)
  } catch (error) {
    if (!(error instanceof SkeinError && error.code === 'UNAUTHENTICATED')) throw error
    // The token has expired or was revoked. The next connection requests a new one, and fails if it does not get one.
    tokens.forget(token)
  }
}

type Subscribed<Type extends api.EventType> = { events: SkeinEvent<Type> | null }

function eventIn<Type extends api.EventType>(result: HTTPResponse): SkeinEvent<Type> {
  const { data, errors = [] } = { ...(result.body as GraphQLBody<Subscribed<Type>>) }
  const isRefusal = ({ extensions }: GraphQLError) => refusals.has(extensions?.code ?? '')
  const failures = data?.events ? errors.filter((error) => !isRefusal(error)) : errors
  const { events } = dataOf<Subscribed<Type>>({ ...result, body: { data, errors: failures } })
  return required(events)
}
