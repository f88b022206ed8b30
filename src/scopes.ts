/** Every scope, with what it allows. The schema and docs/tokens.md contain the same sentences. */
export const scopeDescriptions = {
  'workspaces:read': 'Read the workspace and its users.',
  'workspaces:write': 'Change the workspace, and invite, change and remove people, as an admin.',
  'users.email:read': 'Read email addresses of users, and find users by them.',
  'groups:read': 'Read groups and their members.',
  'groups:write': 'Create, join, leave and change groups.',
  'threads:read': 'List threads, group chats and DMs with their recipients. Includes reading their messages.',
  'threads:write': 'Change threads and their recipients.',
  'threads.messages:read':
    'Read messages and their files, search messages, and mark threads as read or unread.',
  'threads.messages:write': 'Send, edit and delete messages, react to them, and upload files.',
  'apps:read': 'Read the apps and installations that the user manages.',
  'apps:write': 'Create, change, install and delete apps that the user manages.',
  'webhooks:read': 'Read the webhooks that the user manages.',
  'webhooks:write': 'Create, change and delete webhooks that the user manages. Their URLs can post messages.',
} as const

/** A permission of an installation or a token. It has the form `resource[.part]:action`. */
export type Scope = keyof typeof scopeDescriptions

export const scopes = Object.keys(scopeDescriptions) as Scope[]

/** The scopes of a new installation if the request names no scopes. */
export const defaultScopes: readonly Scope[] = [
  'workspaces:read',
  'threads:read',
  'groups:read',
  'threads.messages:write',
]

/** For each scope, the scope that includes it. `threads:write` does not include `threads.messages:write`. */
const includedIn: { [scope in Scope]?: Scope } = { 'threads.messages:read': 'threads:read' }

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopeDescriptions, name)
}

/** Reads scopes separated by spaces (RFC 6749 3.3) or commas. Returns undefined for no scope or an unknown scope. */
export function parseScopes(scope: string): Scope[] | undefined {
  const names = [...new Set(scope.split(/[ ,]+/).filter((name) => name !== ''))]
  return names.length > 0 && names.every(isScope) ? names : undefined
}

/** Returns the scopes and the scopes that they include, in the order of `scopes`. */
export function withIncluded(granted: Iterable<Scope>): Scope[] {
  const held = new Set(granted)
  return scopes.filter((scope) => held.has(scope) || held.has(includedIn[scope] ?? scope))
}

/** Returns the scopes that both lists contain or include. */
export function commonScopes(some: Iterable<Scope>, others: Iterable<Scope>): Scope[] {
  const allowed = withIncluded(others)
  return withIncluded(some).filter((scope) => allowed.includes(scope))
}
