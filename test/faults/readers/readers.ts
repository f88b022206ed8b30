import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../deployment/requests.ts'
import type { Observation, Reader, SeenEvent } from '../history.ts'
import type { Random } from '../random.ts'
import { positionOf } from './positions.ts'

/** What a `Door` needs to read events. `take` records them. */
export type Reading = {
  client: Client
  url: () => string
  token: string
  threadID: string | undefined
  random: Random
  take: (observation: Omit<Observation, 'at' | 'position'> & { cursor: string }) => void
  signal: AbortSignal
}
/** A transport of events. Reads the events after a cursor, until the connection ends or the signal aborts. */
export type Door = (reading: Reading, after: string) => Promise<void>

export const eventFields =
  'id type cursor objectID threadID emoji userIDs recipientIDs message { id text state } thread { state closedAt }'

const longestPauseMs = 100

type Following = Omit<Reading, 'take'> & { reader: Reader; after: string; door: Door }

/** Follows the log after a cursor. Whenever the door returns, opens it again after the last cursor. */
export async function follow({ reader, after, door, ...reading }: Following): Promise<void> {
  let cursor = after
  const take: Reading['take'] = ({ cursor: next, ...observation }) => {
    cursor = next
    reader.observations.push({ ...observation, at: performance.now(), position: positionOf(next) })
  }
  while (!reading.signal.aborted) {
    await door({ ...reading, take }, cursor)
    await sleep(reading.random.below(longestPauseMs))
  }
}

export type EventPage = { nodes: SeenEvent[]; pageInfo: { endCursor: string; hasNextPage: boolean } }
const pageQuery = `query ($after: String!, $threadID: ID) {
  events(first: 100, after: $after, threadID: $threadID) { nodes { ${eventFields} } pageInfo { endCursor hasNextPage } } }`

/** Reads one page of the connection. */
export const readPage: Door = async ({ client, url, token, threadID, take }, after) => {
  const requestedAt = performance.now()
  const variables = { after, threadID }
  const { value } = await client.ask<EventPage>(`${url()}/public/graphql`, token, pageQuery, variables)
  if (!value) return
  for (const event of value.nodes) take({ cursor: event.cursor, event })
  const { endCursor, hasNextPage } = value.pageInfo
  take({ cursor: endCursor, page: { requestedAt, isLast: !hasNextPage } })
}
