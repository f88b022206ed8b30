import { appOf } from '../apps/access.ts'
import { findInstallation, installationID } from '../apps/installations/installation-access.ts'
import { findWebhook } from '../apps/webhooks/access.ts'
import { type Context, requireScope } from '../context.ts'
import type { EventType } from '../events/event-types.ts'
import type { LiveLog } from '../events/live-log.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import type { Group, User } from '../generated/prisma/client.ts'
import type {
  EventType as EventTypeName,
  Resolvers,
  SubscriptionResolvers,
} from '../generated/resolver-types.ts'
import { findGroup, findGroupUnscoped } from '../groups/access.ts'
import { findMessage } from '../messages/access.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { findThread } from '../threads/access.ts'
import { findUser, userOf } from '../users/access.ts'
import { findWorkspace } from '../workspaces/access.ts'
import { scopeFor, seesThread } from './can-hear.ts'
import { eventCursor, eventID } from './event-cursor.ts'
import { followEvents } from './following/follow-events.ts'
import { followInbox } from './following/follow-inbox.ts'
import type { InboxChange } from './following/inbox-changes.ts'
import { latestEventCursor, listEvents } from './list-events.ts'

/** Readers of an event share the rows that the event refers to, if they ask within this time. */
const sharedMs = 250

type Loaded = { at: number; row: Promise<unknown> }
const loaded = new WeakMap<LoggedEvent, Map<string, Loaded>>()

/** Loads a row that an event refers to. The caller must have checked that the reader can see the row. */
function loadOnce<Row>(event: LoggedEvent, name: string, load: () => Promise<Row>): Promise<Row> {
  const rows = loaded.get(event) ?? new Map<string, Loaded>()
  loaded.set(event, rows)
  const now = performance.now()
  const known = rows.get(name)
  if (known && now - known.at < sharedMs) return known.row as Promise<Row>
  const row = load()
  rows.set(name, { at: now, row })
  row.catch(() => rows.delete(name))
  return row
}

/** Returns the name of a type in the schema, such as `messageCreated`. A name in a schema cannot have a dot. */
export function typeName(type: EventType): EventTypeName {
  return type.replace(/\.(.)/, (_dot, letter: string) => letter.toUpperCase()) as EventTypeName
}

export function typeOf(name: EventTypeName): EventType {
  return name.replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`) as EventType
}

export const feedResolvers: Resolvers = {
  Query: {
    events: (_root, { types, ...args }, ctx) => listEvents(ctx, { ...args, types: types?.map(typeOf) }),
    latestEventCursor: (_root, _args, ctx) => latestEventCursor(ctx),
  },
  Event: {
    id: (event) => eventID(event.workspaceID, event),
    cursor: eventCursor,
    type: ({ type }) => typeName(type),
    thread: (event, _args, ctx) => {
      const scope = scopeFor(event.type)
      return visibleRow(ctx, event, { name: 'thread', scope }, (threadID) => findThread(ctx, threadID, scope))
    },
    message: (event, _args, ctx) =>
      visibleRow(ctx, event, { name: 'message', scope: 'threads.messages:read' }, () =>
        findMessage(ctx, event.objectID),
      ),
    group: async ({ objectID }, _args, ctx) =>
      prefixOf(objectID) === 'grp' ? ((await findGroup(ctx, objectID)) ?? null) : null,
    user: async (event, _args, ctx) => {
      const userID = userIDOf(event)
      if (userID === undefined) return null
      // The reader sees in the message, too, who pressed its button.
      if (event.type === 'message.buttonPressed') return userOf(ctx, event.workspaceID, userID)
      return (await findUser(ctx, userID)) ?? null
    },
    app: async ({ objectID, workspaceID }, _args, ctx) => {
      if (prefixOf(objectID) !== 'app') return null
      const installation = await findInstallation(ctx, installationID({ appID: objectID, workspaceID }))
      return installation && appOf(ctx, installation)
    },
    webhook: async ({ objectID }, _args, ctx) =>
      prefixOf(objectID) === 'wbh' ? findWebhook(ctx, objectID) : null,
    userIDs: ({ details }) => details?.userIDs ?? null,
    workspace: ({ workspaceID }, _args, ctx) => findWorkspace(ctx, workspaceID),
    users: ({ workspaceID, details }, _args, ctx) =>
      details?.userIDs?.map((id) => userOf(ctx, workspaceID, id)) ?? null,
    recipientIDs: async (event, _args, ctx) =>
      (await visibleRecipients(ctx, event))?.map(({ id }) => id) ?? null,
    recipients: (event, _args, ctx) => visibleRecipients(ctx, event),
    role: ({ details }) => details?.role ?? null,
    emoji: ({ details }) => details?.emoji ?? null,
    buttonID: ({ details }) => details?.buttonID ?? null,
    previousSubject: ({ details }) => details?.previousSubject ?? null,
  },
  InboxChange: {
    cursor: ({ upto }) => eventCursor(upto),
    threadID: ({ threadID }) => threadID ?? null,
    thread: async ({ threadID }, _args, ctx) =>
      threadID === undefined ? null : ((await findThread(ctx, threadID)) ?? null),
  },
}

/** Loads the thread or message of an event once for all readers who have the scope and can see the thread. */
async function visibleRow<Row>(
  ctx: Context,
  event: LoggedEvent,
  { name, scope }: { name: string; scope: Scope },
  load: (threadID: string) => Promise<Row | undefined>,
): Promise<Row | null> {
  const { threadID } = event
  if (threadID === null) return null
  requireScope(ctx, scope)
  if (!(await seesThread(ctx, threadID))) return null
  return (await loadOnce(event, name, () => load(threadID))) ?? null
}

// A reader of a thread may be unable to see some of the groups that the thread is addressed to.
async function visibleRecipients(
  ctx: Context,
  { workspaceID, details }: LoggedEvent,
): Promise<(User | Group)[] | null> {
  if (!details?.recipientIDs) return null
  const visible = await Promise.all(
    details.recipientIDs.map((id) =>
      prefixOf(id) === 'usr' ? userOf(ctx, workspaceID, id) : findGroupUnscoped(ctx, workspaceID, id),
    ),
  )
  return visible.filter((recipient) => recipient !== undefined)
}

function userIDOf({ objectID, details }: LoggedEvent): string | undefined {
  return prefixOf(objectID) === 'usr' ? objectID : details?.userID
}

/** Returns the subscription fields. All subscribers of this process share `liveLog`. */
export function feedSubscriptions(liveLog: LiveLog) {
  const resolve = (event: LoggedEvent) => event
  const fields: Required<SubscriptionResolvers> = {
    events: {
      subscribe: (_root, { types, ...args }, ctx) =>
        followEvents(ctx, liveLog, { ...args, types: types?.map(typeOf) }),
      resolve,
    },
    threadEvents: { subscribe: (_root, args, ctx) => followEvents(ctx, liveLog, args), resolve },
    inbox: {
      subscribe: (_root, { after }, ctx) => followInbox(ctx, liveLog, after),
      resolve: (change: InboxChange) => change,
    },
  }
  return fields
}
