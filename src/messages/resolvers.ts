import { findApp } from '../apps/access.ts'
import { findWebhook } from '../apps/webhooks/access.ts'
import { type Context, requireScope, requireUser } from '../context.ts'
import type { Resolvers, State } from '../generated/resolver-types.ts'
import { threadOf } from '../threads/access.ts'
import { threadEdge } from '../threads/list/list-threads.ts'
import { findMessageAt, writtenMessage } from './access.ts'
import { deleteMessage } from './delete-message.ts'
import { editMessage } from './edit-message.ts'
import { listAttachments, listMessages } from './list/list-messages.ts'
import { listMentions } from './list/list-recipients-by-id.ts'
import { messageCursor, messageEdge } from './list/message-order.ts'
import { renderHTML } from './render-html.ts'
import { authorOf } from './rows.ts'
import { appIDOf, isOwnOrigin, originKindOf, programNameOf, webhookIDOf } from './send/origin.ts'
import { type SendMessageResult, sendMessage } from './send/send-message.ts'
import { findFromMessage, listStartedThreads } from './send/started-threads.ts'
import type { ThreadEvent } from './thread-changes/events.ts'
import { uploadTicket } from './upload-ticket.ts'

export const messageResolvers: Resolvers = {
  Mutation: {
    sendMessage: (_root, { input }, ctx) => sendMessage(ctx, input),
    editMessage: (_root, { input }, ctx) => editMessage(ctx, input),
    deleteMessage: (_root, { input }, ctx) => deleteMessage(ctx, input),
    uploadTicket: (_root, { input }, ctx) => uploadTicket(ctx, input),
  },
  Thread: {
    messageCount: (thread, _args, ctx) => {
      requireScope(ctx, 'threads.messages:read')
      return thread.lastPosition
    },
    lastMessage: async (thread, _args, ctx) =>
      (await findMessageAt(ctx, thread, thread.lastPosition)) ?? null,
    messages: (thread, args, ctx) => listMessages(ctx, thread, args),
    fromMessage: (thread, _args, ctx) => findFromMessage(ctx, thread),
  },
  SendMessagePayload: {
    thread: (sent, _args, ctx) => threadOfSent(ctx, sent),
    message: (sent, _args, ctx) => writtenMessage(ctx, sent),
    messageEdge: async (sent, _args, ctx) => messageEdge(await writtenMessage(ctx, sent)),
    threadEdge: async (sent, { order }, ctx) => threadEdge(await threadOfSent(ctx, sent), order ?? 'created'),
  },
  EditMessagePayload: {
    message: (changed, _args, ctx) => writtenMessage(ctx, changed),
  },
  DeleteMessagePayload: {
    message: (changed, _args, ctx) => writtenMessage(ctx, changed),
  },
  Message: {
    url: ({ workspaceID, threadID, id }, _args, { config }) =>
      `${config.baseURL}/${workspaceID}/threads/${threadID}/${id}`,
    thread: ({ workspaceID, threadID }, _args, ctx) => {
      requireScope(ctx, 'threads.messages:read')
      return threadOf(ctx, workspaceID, threadID)
    },
    cursor: (message) => messageCursor(message),
    html: (message, _args, ctx) => renderHTML(ctx, message),
    user: (message) => authorOf(message),
    event: ({ event }) => event as ThreadEvent | null,
    origin: (message) => ({ message }),
    uniqueBy: ({ authorID, uniqueBy }, _args, { actor }) =>
      actor.kind === 'user' && authorID === actor.userID ? uniqueBy : null,
    state: ({ state }) => state as State | null,
    calledAt: ({ calledAt, isSilent, createdAt }) => calledAt ?? (isSilent ? null : createdAt),
    mentions: (message, args, ctx) => listMentions(ctx, message, args),
    attachments: (message, args, ctx) => listAttachments(ctx, message, args),
    startedThreads: (message, args, ctx) => listStartedThreads(ctx, message, args),
  },
  MessageOrigin: {
    kind: (origin) => originKindOf(origin),
    via: (origin, _args, ctx) => programNameOf(ctx, origin),
    isOwn: (origin, _args, ctx) => isOwnOrigin(ctx, origin),
    appID: (origin, _args, ctx) => appIDOf(ctx, origin),
    webhookID: (origin, _args, ctx) => webhookIDOf(ctx, origin),
    app: async (origin, _args, ctx) => {
      const appID = await appIDOf(ctx, origin)
      return appID === null ? null : findApp(ctx, appID)
    },
    webhook: async (origin, _args, ctx) => {
      const webhookID = await webhookIDOf(ctx, origin)
      return webhookID === null ? null : findWebhook(ctx, webhookID)
    },
  },
}

function threadOfSent(ctx: Context, { threadID }: SendMessageResult) {
  requireUser(ctx)
  return threadOf(ctx, ctx.actor.workspaceID, threadID)
}
