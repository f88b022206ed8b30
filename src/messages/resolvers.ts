import type { Resolvers } from '../generated/resolver-types.ts'
import { accessThread } from '../threads/access.ts'
import { accessMessage, authorOf } from './access.ts'
import { listAttachments, listMessages } from './list-messages.ts'
import { postMessage } from './post-message.ts'
import { renderHTML } from './render-html.ts'

export const messageResolvers: Resolvers = {
  Mutation: {
    sendMessage: (_root, { input }, ctx) => postMessage(ctx, input),
  },
  Thread: {
    messages: (thread, args, ctx) => listMessages(ctx, thread, args),
  },
  SendMessagePayload: {
    thread: ({ threadID }, _args, ctx) => accessThread(ctx, threadID, 'threads.messages:write'),
    message: ({ messageID }, _args, ctx) => accessMessage(ctx, messageID, 'threads.messages:write'),
  },
  Message: {
    html: (message, _args, ctx) => renderHTML(ctx, message),
    user: (message) => authorOf(message),
    attachments: (message, args, ctx) => listAttachments(ctx, message, args),
  },
}
