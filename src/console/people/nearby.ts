import { fetchQuery, graphql, readInlineData } from 'react-relay/hooks'
import type { IEnvironment } from 'relay-runtime'
import type { nearby_recipient$key } from '../../generated/console/nearby_recipient.graphql.ts'
import type { nearbyQuery } from '../../generated/console/nearbyQuery.graphql.ts'
import { type DirectoryEntry, learn, matches, mostFound } from './directory.ts'

/** Finds recipients, and members of their groups. The IDs are of the recipients, or of a thread with these recipients. */
export async function searchNearby(
  environment: IEnvironment,
  ids: readonly string[],
  search: string,
): Promise<readonly DirectoryEntry[]> {
  if (ids.length === 0) return []
  const query = graphql`
    query nearbyQuery($ids: [ID!]!, $search: String!, $first: Int!) {
      nodes(ids: $ids) {
        ...nearby_recipient @alias(as: "recipient")
        ... on Thread @alias(as: "thread") { recipients(first: 20) { nodes { ...nearby_recipient } } }
      }
    }
  `
  const variables = { ids, search, first: mostFound }
  // Without this answer, the list is in another order.
  const found = await fetchQuery<nearbyQuery>(environment, query, variables)
    .toPromise()
    .catch(() => undefined)
  const nodes = (found?.nodes ?? []).flatMap((node) => node ?? [])
  const recipients = nodes.flatMap(({ recipient, thread }) => recipient ?? thread?.recipients?.nodes ?? [])
  const { users, groups } = foundIn(recipients)
  const isFound = ({ name, email }: DirectoryEntry) =>
    matches(name, search) || email?.toLowerCase().startsWith(search)
  const unique = new Map(learn(environment, { users, groups }).map((entry) => [entry.id, entry]))
  return [...unique.values()].filter(isFound)
}

function foundIn(recipients: readonly nearby_recipient$key[]) {
  const found = recipients.map((recipient) =>
    readInlineData(
      graphql`
        fragment nearby_recipient on Recipient @inline {
          ... on User @alias(as: "user") { id name kind email avatarURL }
          ... on Group @alias(as: "group") {
            id name isPrivate memberCount
            members(search: $search, first: $first) { nodes { id name kind email avatarURL } }
          }
        }
      `,
      recipient,
    ),
  )
  return {
    users: found.flatMap(({ user, group }) => user ?? group?.members?.nodes ?? []),
    groups: found.flatMap(({ group }) => group ?? []),
  }
}
