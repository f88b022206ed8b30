import { fetchQuery, graphql } from 'react-relay/hooks'
import type { IEnvironment } from 'relay-runtime'
import type { directoryNamesQuery } from '../../generated/console/directoryNamesQuery.graphql.ts'
import type { directoryQuery } from '../../generated/console/directoryQuery.graphql.ts'
import { fold, searchKey } from '../../text/search/words.ts'

export type DirectoryEntry = {
  id: string
  name: string
  kind: 'person' | 'app' | 'webhook' | 'group'
  email?: string | null
  avatarURL?: string | null
  /** Whether only members can see the group. */
  isPrivate?: boolean
  memberCount?: number | null
}

type Search = { at: number; isEmpty: boolean; entries: Promise<readonly DirectoryEntry[]> }
type Directory = { searches: Map<string, Search>; names: Map<string, DirectoryEntry> }

/** The maximum number of users, and of groups, that a search finds. */
export const mostFound = 20

const [keptMs, longestSearch, mostNames] = [30_000, 100, 100]
const directories = new WeakMap<IEnvironment, Directory>()

/** Finds the first 20 users and the first 20 groups. A word of the name or the email address starts with the text. */
export function searchDirectory(environment: IEnvironment, text: string): Promise<readonly DirectoryEntry[]> {
  const { searches } = directoryOf(environment)
  const search = searchOf(text)
  for (const [key, { at }] of searches) if (Date.now() - at > keptMs) searches.delete(key)
  const kept = searches.get(search)
  if (kept) return kept.entries
  // If a text matches nothing, a longer text that begins with it matches nothing either.
  if ([...searches].some(([key, { isEmpty }]) => isEmpty && search.startsWith(key)))
    return Promise.resolve([])
  const next = { at: Date.now(), isEmpty: false, entries: load(environment, search) }
  searches.set(search, next)
  next.entries.then(
    (entries) => {
      next.isEmpty = entries.length === 0
    },
    () => searches.delete(search),
  )
  return next.entries
}

/** Returns the search for a text that a person types: trimmed, folded, and not too long. */
export function searchOf(text: string): string {
  return [...fold(text.trim())].slice(0, longestSearch).join('')
}

/** Returns whether a word of the name starts with the text. The service searches names by the same rule. */
export function matches(name: string, search: string): boolean {
  return searchKey(name).includes(searchKey(search))
}

/** Returns the users and groups that earlier searches and look-ups have found, by ID. */
export function knownEntries(environment: IEnvironment): ReadonlyMap<string, DirectoryEntry> {
  return directoryOf(environment).names
}

/** Loads users and groups by ID. Afterwards, `knownEntries` has the users and groups that the person can see. */
export async function loadEntries(environment: IEnvironment, ids: readonly string[]): Promise<void> {
  const query = graphql`
    query directoryNamesQuery($ids: [ID!]!) {
      nodes(ids: $ids) {
        ... on User @alias(as: "user") { id name kind email avatarURL }
        ... on Group @alias(as: "group") { id name isPrivate memberCount }
      }
    }
  `
  const variables = { ids: ids.slice(0, mostNames) }
  const found = await fetchQuery<directoryNamesQuery>(environment, query, variables).toPromise()
  const nodes = found?.nodes ?? []
  learn(environment, {
    users: nodes.flatMap((node) => node?.user ?? []),
    groups: nodes.flatMap((node) => node?.group ?? []),
  })
}

/** Discards cached searches and names. Call it after the viewer has created or changed a user or a group. */
export function forgetDirectory(environment: IEnvironment): void {
  directories.delete(environment)
}

function directoryOf(environment: IEnvironment): Directory {
  const known = directories.get(environment) ?? { searches: new Map(), names: new Map() }
  directories.set(environment, known)
  return known
}

async function load(environment: IEnvironment, search: string): Promise<readonly DirectoryEntry[]> {
  const query = graphql`
    query directoryQuery($search: String!, $first: Int!) {
      users(search: $search, first: $first) { nodes { id name kind email avatarURL } }
      groups(search: $search, first: $first) { nodes { id name isPrivate memberCount } }
    }
  `
  const variables = { search, first: mostFound }
  const found = await fetchQuery<directoryQuery>(environment, query, variables).toPromise()
  if (!found) throw new Error('The users and groups could not be loaded.')
  return learn(environment, { users: found.users?.nodes ?? [], groups: found.groups?.nodes ?? [] })
}

type FoundUser = Pick<DirectoryEntry, 'id' | 'name'> & {
  kind: string
  email: string | null | undefined
  avatarURL: string | null | undefined
}
type FoundGroup = Pick<DirectoryEntry, 'id' | 'name'> & {
  isPrivate: boolean
  memberCount: number | null | undefined
}
type Found = { users: readonly FoundUser[]; groups: readonly FoundGroup[] }

/** Keeps the users and groups that were found, and returns them as entries. */
export function learn(environment: IEnvironment, { users, groups }: Found): readonly DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (const { id, name, kind, email = null, avatarURL = null } of users) {
    if (kind === 'person' || kind === 'app' || kind === 'webhook')
      entries.push({ id, name, kind, email, avatarURL })
  }
  for (const { id, name, isPrivate, memberCount = null } of groups)
    entries.push({ id, name, kind: 'group', isPrivate, memberCount })
  const { names } = directoryOf(environment)
  for (const entry of entries) names.set(entry.id, entry)
  return entries
}
