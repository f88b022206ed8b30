import { type Skein, SkeinError } from '../sdk/index.ts'
import { fold } from '../text/search/words.ts'
import { type Client, listAll, pageSelection } from './client.ts'
import { Failure } from './failure.ts'

/** The kinds of objects that a command accepts by ID or name. It also accepts a user by email address. */
export type ReferenceKind =
  | 'workspace'
  | 'user'
  | 'deleted user'
  | 'group'
  | 'app'
  | 'webhook'
  | KindWithoutName

type KindWithoutName = 'endpoint' | 'delivery'

export type Candidate = { id: string; name: string; email?: string | null }

const idPatterns: Record<ReferenceKind, RegExp> = {
  workspace: /^wks_[0-9A-Za-z]+$/,
  user: /^usr_[0-9A-Za-z]+$/,
  'deleted user': /^usr_[0-9A-Za-z]+$/,
  group: /^(grp|wks)_[0-9A-Za-z]+$/,
  app: /^app_[0-9A-Za-z]+$/,
  webhook: /^wbh_[0-9A-Za-z]+$/,
  endpoint: /^end_[0-9A-Za-z]+$/,
  delivery: /^dlv_[0-9A-Za-z]+$/,
}

const listOf: Record<KindWithoutName, string> = {
  endpoint: 'endpoints list',
  delivery: 'deliveries list <endpoint>',
}

/** Returns the ID of the object that a text names. Calls `workspaceID` only to look up a name. */
export async function resolveReference(
  client: Client,
  kind: ReferenceKind,
  text: string,
  workspaceID: () => Promise<string>,
): Promise<string> {
  if (idPatterns[kind].test(text)) return text
  if (kind === 'endpoint' || kind === 'delivery')
    throw new Failure(`No ${kind} has the ID "${text}". List the IDs with: ${listOf[kind]}`)
  const candidates =
    kind === 'workspace' ? await workspaces(client) : await inWorkspace(client, kind, await workspaceID())
  return pick(kind, text, candidates)
}

/** Returns the ID of the named workspace. If `text` is undefined, returns the ID of the only workspace. */
export async function resolveWorkspace(client: Client, text: string | undefined): Promise<string> {
  if (text !== undefined && idPatterns.workspace.test(text)) return text
  const all = await workspaces(client)
  if (text !== undefined) return pick('workspace', text, all)
  const [only, ...others] = all
  if (only && others.length === 0) return only.id
  throw new Failure(
    only
      ? `There are several workspaces. Choose one with --workspace:\n${linesOf(all)}`
      : 'There are no workspaces yet. Create one with: workspaces create <name>',
  )
}

/** Returns the ID of the only candidate with this name or email address. */
export function pick(kind: string, text: string, candidates: readonly Candidate[]): string {
  const wanted = fold(text)
  const found = candidates.filter(({ name, email }) =>
    [name, email].some((value) => value != null && fold(value) === wanted),
  )
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (only)
    throw new Failure(`Several ${pluralOf(kind)} are called "${text}". Use the ID:\n${linesOf(found)}`)
  const similar = candidates.filter(({ name }) => fold(name).includes(wanted))
  const hint = similar.length > 0 ? ` Did you mean one of these?\n${linesOf(similar)}` : ''
  const identifiers = kind.includes('user') ? 'ID, name or email address' : 'ID or name'
  throw new Failure(`No ${kind} has the ${identifiers} "${text}".${hint}`)
}

/** Returns "groups or users" for "group or user". */
function pluralOf(kind: string): string {
  return `${kind.replace(' or ', 's or ')}s`
}

function linesOf(candidates: readonly Candidate[]): string {
  const shown = candidates
    .slice(0, 10)
    .map(({ id, name, email }) => `  ${id}  ${name}${email ? ` <${email}>` : ''}`)
  return [...shown, ...(candidates.length > 10 ? [`  and ${candidates.length - 10} more`] : [])].join('\n')
}

async function workspaces(client: Client): Promise<Candidate[]> {
  const document = `query ($after: String) { workspaces${pageSelection('id name')} }`
  return (await listAll(client, { document, path: 'workspaces', variables: {} })) as Candidate[]
}

async function inWorkspace(
  client: Client,
  kind: Exclude<ReferenceKind, 'workspace' | KindWithoutName>,
  workspaceID: string,
): Promise<Candidate[]> {
  const isDeleted = kind === 'deleted user'
  const list = isDeleted ? 'users' : `${kind}s`
  const selection = pageSelection(list === 'users' ? 'id name email' : 'id name', {
    filter: isDeleted ? 'deleted: true' : '',
  })
  const document = `query ($workspaceID: ID!, $after: String) { workspace(id: $workspaceID) { ${list}${selection} } }`
  const path = `workspace.${list}`
  return (await listAll(client, { document, path, variables: { workspaceID } })) as Candidate[]
}

export async function resolveConversation(skein: Skein, text: string): Promise<string> {
  if (/^(thr|grp|wks|usr)_[0-9A-Za-z]+$/.test(text)) return text
  const found = text.includes('@') ? await usersByEmail(skein, text) : []
  return pick('group or user', text, found.length > 0 ? found : await everyone(skein))
}

async function usersByEmail(skein: Skein, email: string): Promise<Candidate[]> {
  try {
    return await all(skein.users({ email }))
  } catch (error) {
    if (!(error instanceof SkeinError && error.code === 'INSUFFICIENT_SCOPE')) throw error
    throw new Failure(
      'The app cannot find users by email address: it lacks the scope users.email:read. Use a name or an ID.',
    )
  }
}

async function everyone(skein: Skein): Promise<Candidate[]> {
  return [...(await all(skein.groups())), ...(await all(skein.users()))]
}

async function all(list: AsyncIterable<Candidate>): Promise<Candidate[]> {
  const found: Candidate[] = []
  for await (const each of list) found.push(each)
  return found
}
