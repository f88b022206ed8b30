import { getNamedType } from 'graphql'
import { expect } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { placeNow } from '../../src/feeds/event-cursor.ts'
import { makeApp } from './factories.ts'
import {
  copierOf,
  type HiddenObjects,
  makeCredentials,
  makeHiddenObjects,
  makeOwnObjects,
  managersSecret,
  type Objects,
  secret,
} from './hidden-objects.ts'
import { leaksOf } from './leaks.ts'
import { mutation } from './mutations.ts'
import {
  argumentsAt,
  documentOf,
  type Noun,
  type Operation,
  type Place,
  places,
  titleOf,
  unknownID,
} from './operations.ts'
import { readRows } from './row-copies.ts'
import { selectionsOf } from './selections.ts'
import type { GraphQLAnswer, Service } from './service.ts'
import { type Ask, signedIn } from './signed-in.ts'

/** The places of all queries and mutations that take an ID. `test/large/walk.test.ts` tries the subscriptions. */
export const walked = places.filter(({ operation }) => operation.kind !== 'subscription')

/** Creates the objects of a walk. `copy` returns a copy of them, for calls that change them. */
export async function makeHidden(
  service: Service,
): Promise<{ known: Hidden; copy: () => Promise<HiddenObjects> }> {
  const objects = await makeHiddenObjects(service)
  const copy = await copierOf(service, objects)
  return { known: { objects, credentials: await makeCredentials(service, objects) }, copy }
}

/** A service for walks, without the limits that they would exceed. */
export const unmetered = { INSTALLATION_POINTS_PER_MINUTE: '0', WORKSPACE_POINTS_PER_MINUTE: '0' }

export const asking =
  (service: Service, token: string): Ask =>
  (query, variables) =>
    service.graphql(token, query, variables)

/** Returns a function that returns the first ID of a kind, or an ID that does not exist. */
export const firstOf =
  (known: Objects) =>
  (noun: Noun): string =>
    known[noun]?.[0] ?? unknownID(noun)

/** Selects everything that the answer shows, down to a number of levels: names, subjects, the texts of messages. */
export function selectionsFor({ name, type }: Operation, levels: number): string[] {
  return selectionsOf(getNamedType(type), name.startsWith('node') ? 0 : levels)
}

/** Sends the calls that give `id` at a place, with each of the selections. */
export async function callAt(
  ask: Ask,
  { operation, path }: Pick<Place, 'operation' | 'path'>,
  id: string,
  idOf: (noun: Noun) => string,
  selected = selectionsFor(operation, 1),
): Promise<GraphQLAnswer[]> {
  const answers: GraphQLAnswer[] = []
  for (const values of argumentsAt({ operation, path }, id, idOf)) {
    for (const selection of selected) {
      const variables = { groupID: idOf('group'), ...values }
      answers.push(await ask(documentOf(operation, values, selection), variables))
    }
  }
  return answers
}

export type Caller = {
  ask: Ask
  /** What the caller can use. */
  own: Objects
  hidden: Objects
  /** The hidden IDs, and words of the hidden objects. */
  secrets: string[]
}

export type CallerKind = 'app' | 'member' | 'member with a token' | 'admin'

/** Creates a caller who cannot see the objects, in their workspace or in the workspace of other objects. */
export async function makeCaller(
  service: Service,
  kind: CallerKind,
  { objects, credentials, world = objects }: Hidden & { world?: HiddenObjects },
): Promise<Caller> {
  const { workspaceID, generalGroupID } = world
  const isStranger = workspaceID !== objects.workspaceID
  const {
    app: _app,
    webhook: _webhook,
    webhookCall: _webhookCall,
    endpoint: _endpoint,
    delivery: _delivery,
    ...unmanaged
  } = objects.hidden
  const managesAll = kind === 'admin' && !isStranger
  const hidden = {
    ...(isStranger && objects.everyones),
    ...(managesAll ? unmanaged : objects.hidden),
    ...credentials.own,
  }
  const secrets = [...Object.values(hidden).flat(), secret, ...(managesAll ? [] : [managersSecret])]
  const operator = service.contextOf({ kind: 'operator' })
  if (kind === 'app') {
    const { token, userID } = await makeApp(service, operator, workspaceID)
    const own = await makeOwnObjects(service, world, { userID, hasApp: false })
    return { ask: asking(service, token), own, hidden, secrets }
  }
  const role = kind === 'admin' ? 'admin' : 'member'
  const { id: userID, ask } = await signedIn(service, { operator, workspaceID, generalGroupID }, role)
  const own = await makeOwnObjects(service, world, { userID, hasApp: true })
  if (kind !== 'member with a token') return { ask, own, hidden, secrets }
  const { data } = await ask('{ viewer { scopes } }')
  const input = { name: 'Script', scopes: data.viewer.scopes, expiresInDays: 1 }
  const created = await ask(mutation('createPersonalAccessToken', 'accessToken'), { input })
  return { ask: asking(service, created.data.createPersonalAccessToken.accessToken), own, hidden, secrets }
}

export type Hidden = { objects: HiddenObjects; credentials: Awaited<ReturnType<typeof makeCredentials>> }

/** Returns answers without what is different for each request and each ID that was sent. */
function comparable(answers: GraphQLAnswer[], id: string): GraphQLAnswer[] {
  const text = JSON.stringify(answers, (key, value) => (key === 'requestID' ? undefined : value))
  return JSON.parse(text.replaceAll(id, '<id>'))
}

function codesOf(answers: GraphQLAnswer[]): string[] {
  return answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code))
}

/** The codes for a hidden ID, at places other than `node` where it is not NOT_FOUND. They are in docs/graphql.md. */
const exceptions: Record<string, string[]> = {
  'addMembers.input.userIDs': ['INVALID_INPUT'],
  'createWebhook.input.allowedTargets': ['INVALID_INPUT'],
  'createWebhook.input.defaultTarget': ['INVALID_INPUT'],
  'editMessage.input.attachments': ['INVALID_INPUT'],
  'sendMessage.input.message.attachments': ['INVALID_INPUT'],
  'updateApp.input.avatarFileID': ['INVALID_INPUT'],
  'updateUser.input.avatarFileID': ['INVALID_INPUT'],
  'updateWebhook.input.allowedTargets': ['INVALID_INPUT'],
  'updateWebhook.input.avatarFileID': ['INVALID_INPUT'],
  'updateWebhook.input.defaultTarget': ['INVALID_INPUT'],
  'eventEndpoint.id': [],
  'orderPins.input.pinnedIDs': [],
  'removeMembers.input.userIDs': [],
  'updateMember.input.userID': ['CONFLICT'],
  'removeRecipients.input.recipientIDs': [],
  'searchMessages.filter.authorID': [],
  'searchMessages.filter.groupID': [],
  'searchMessages.filter.threadID': [],
  'thread.groupID': [],
}

// A request may change only when its credentials were last used. Messages are indexed for the search in the background.
async function rowsOf(db: Database, workspaceID: string): Promise<Record<string, unknown>> {
  const { json } = await readRows(db, workspaceID)
  const { search_progress: _progress, searchable_messages: _index, ...tables } = JSON.parse(json)
  const accounts = await db.user.findMany({ where: { workspaceID }, select: { accountID: true } })
  const accountID = { in: accounts.flatMap(({ accountID }) => accountID ?? []) }
  const sessions = await db.session.findMany({ where: { accountID }, select: { id: true } })
  const rows = Object.entries<object[]>({ ...tables, sessions }).map(([name, list]) => [
    name,
    list.map((row) => JSON.stringify({ ...row, last_used_at: null })).sort(),
  ])
  await sequenceEvents(db)
  return { ...Object.fromEntries(rows), events: (await placeNow(db, workspaceID)).position }
}

/**
 * Gives the hidden IDs to every operation. Each call must have the same answer as with an ID that does not exist, and
 * must not change a row.
 */
export async function expectNothingHidden(
  service: Service,
  { workspaceID }: HiddenObjects,
  { ask, own, hidden, secrets }: Caller,
): Promise<void> {
  const { db } = service.contextOf({ kind: 'operator' })
  const before = await rowsOf(db, workspaceID)
  const differences: object[] = []
  for (const place of walked) {
    const title = titleOf(place)
    const ids = hidden[place.noun] ?? []
    // First the other IDs of the call are hidden too, then they are the caller's own. Then only one check can refuse it.
    const companions = takesOtherIDs(place) ? [{ ...own, ...hidden }, own] : [own]
    for (const others of ids.length > 0 ? companions : []) {
      const unknown = unknownID(place.noun)
      const expected = comparable(await callAt(ask, place, unknown, firstOf(others)), unknown)
      expectCodes(title, codesOf(expected))
      for (const id of ids) {
        const answers = comparable(await callAt(ask, place, id, firstOf(others)), id)
        const leaks = leaksOf(answers, secrets)
        if (leaks.length > 0 || JSON.stringify(answers) !== JSON.stringify(expected))
          differences.push({ title, leaks, answers, expected })
      }
    }
  }
  expect(differences).toEqual([])
  expect(await rowsOf(db, workspaceID)).toEqual(before)
}

function takesOtherIDs({ operation, path }: Place): boolean {
  return walked.some((other) => other.operation === operation && other.path !== path)
}

// Otherwise a call that is refused for another reason would hide that the access is not checked.
function expectCodes(title: string, codes: string[]): void {
  const allowed = exceptions[title] ?? (title.startsWith('node') ? [] : ['NOT_FOUND'])
  const isRefused = codes.length > 0 || allowed.length === 0
  const others = codes.filter((code) => ![...allowed, 'NOT_FOUND', 'FORBIDDEN'].includes(code))
  expect({ title, isRefused, others }).toEqual({ title, isRefused: true, others: [] })
}
