import { fetchQuery, graphql } from 'react-relay/hooks'
import type { IEnvironment } from 'relay-runtime'
import type { mentionOptionsQuery } from '../../../generated/console/mentionOptionsQuery.graphql.ts'

export type MentionOption = { id: string; name: string; kind: string }

const kinds: Record<string, string> = { person: 'Person', app: 'App', webhook: 'Webhook' }
const [maxPages, keptMs] = [50, 60_000]
const loaded = new WeakMap<IEnvironment, { at: number; options: Promise<MentionOption[]> }>()

/** Returns the users and groups of the workspace, by name. They are loaded at most once in a minute. */
export function mentionOptions(environment: IEnvironment): Promise<MentionOption[]> {
  const last = loaded.get(environment)
  if (last && Date.now() - last.at < keptMs) return last.options
  const options = load(environment)
  loaded.set(environment, { at: Date.now(), options })
  options.catch(() => loaded.delete(environment))
  return options
}

async function load(environment: IEnvironment): Promise<MentionOption[]> {
  const options = new Map<string, MentionOption>()
  let [usersAfter, groupsAfter]: (string | null)[] = [null, null]
  for (let page = 0; page < maxPages; page += 1) {
    const { users, groups } = await loadPage(environment, { usersAfter, groupsAfter })
    for (const { id, name, kind } of users?.nodes ?? [])
      options.set(id, { id, name, kind: kinds[kind] ?? kind })
    for (const { id, name } of groups?.nodes ?? []) options.set(id, { id, name, kind: 'Group' })
    usersAfter = users?.pageInfo.endCursor ?? usersAfter
    groupsAfter = groups?.pageInfo.endCursor ?? groupsAfter
    if (!users?.pageInfo.hasNextPage && !groups?.pageInfo.hasNextPage) break
  }
  return [...options.values()].sort((one, other) => one.name.localeCompare(other.name))
}

async function loadPage(environment: IEnvironment, variables: mentionOptionsQuery['variables']) {
  const page = await fetchQuery<mentionOptionsQuery>(
    environment,
    graphql`
      query mentionOptionsQuery($usersAfter: String, $groupsAfter: String) {
        users(first: 100, after: $usersAfter) { nodes { id name kind } pageInfo { hasNextPage endCursor } }
        groups(first: 100, after: $groupsAfter) { nodes { id name } pageInfo { hasNextPage endCursor } }
      }
    `,
    variables,
  ).toPromise()
  if (!page) throw new Error('The users and groups could not be loaded.')
  return page
}
