import { fetchQuery, graphql } from 'react-relay/hooks'
import { createOperationDescriptor, getRequest, type IEnvironment } from 'relay-runtime'
import type { placeLink_node$key } from '../../../../generated/console/placeLink_node.graphql.ts'
import type { placesQuery } from '../../../../generated/console/placesQuery.graphql.ts'

/** The threads, messages and groups to which the links of a page lead. */
export type Places = {
  /** Returns null while an object is not loaded, and if the person cannot see it. */
  get: (id: string) => placeLink_node$key | null
  /** Loads an object, together with the others that are requested at this time. */
  request: (id: string) => void
  onChange: (listener: () => void) => () => void
}

const gatherMs = 20
/** The person may get access to an object that was not found. */
const retryMs = 30_000
/** The maximum number of IDs in one request. */
const mostIDs = 100

const query = graphql`
  query placesQuery($ids: [ID!]!) {
    nodes(ids: $ids) { id ...placeLink_node }
  }
`

const ofEnvironments = new WeakMap<IEnvironment, Places>()

export function placesOf(environment: IEnvironment): Places {
  const places = ofEnvironments.get(environment) ?? createPlaces(environment)
  ofEnvironments.set(environment, places)
  return places
}

function createPlaces(environment: IEnvironment): Places {
  const found = new Map<string, placeLink_node$key>()
  const requestedAt = new Map<string, number>()
  const listeners = new Set<() => void>()
  let next: string[] = []
  const load = async (ids: string[]) => {
    // Relay otherwise removes what no component has loaded.
    environment.retain(createOperationDescriptor(getRequest(query), { ids }))
    // Without an answer, the links show their addresses.
    const answer = await fetchQuery<placesQuery>(environment, query, { ids })
      .toPromise()
      .catch(() => undefined)
    if (!answer) for (const id of ids) requestedAt.delete(id)
    for (const node of answer?.nodes ?? []) if (node) found.set(node.id, node)
    for (const listener of listeners) listener()
  }
  const loadNext = () => {
    const ids = next
    next = []
    for (let at = 0; at < ids.length; at += mostIDs) void load(ids.slice(at, at + mostIDs))
  }
  return {
    get: (id) => found.get(id) ?? null,
    request: (id) => {
      if (found.has(id) || Date.now() - (requestedAt.get(id) ?? 0) < retryMs) return
      requestedAt.set(id, Date.now())
      if (next.push(id) === 1) setTimeout(loadNext, gatherMs)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
