import type { Resolvers } from '../../generated/resolver-types.ts'
import { listRecipientsByID } from '../list/list-recipients-by-id.ts'
import { addRecipients, removeRecipients } from './change-recipients.ts'
import { changedThread, edgesOfChange } from './change-thread.ts'
import { updateThread } from './update-thread.ts'

export const threadChangeResolvers: Resolvers = {
  Mutation: {
    updateThread: (_root, { input }, ctx) => updateThread(ctx, input),
    addRecipients: (_root, { input }, ctx) => addRecipients(ctx, input),
    removeRecipients: (_root, { input }, ctx) => removeRecipients(ctx, input),
  },
  UpdateThreadPayload: {
    thread: (change, _args, ctx) => changedThread(ctx, change),
    messageEdges: (change, _args, ctx) => edgesOfChange(ctx, change),
  },
  AddRecipientsPayload: {
    thread: (change, _args, ctx) => changedThread(ctx, change),
    messageEdges: (change, _args, ctx) => edgesOfChange(ctx, change),
  },
  RemoveRecipientsPayload: {
    thread: (change, _args, ctx) => changedThread(ctx, change),
    messageEdges: (change, _args, ctx) => edgesOfChange(ctx, change),
  },
  ThreadEvent: {
    subject: (event) => ('subject' in event ? event.subject : null),
    recipients: (event, args, ctx) =>
      listRecipientsByID(ctx, 'recipientIDs' in event ? event.recipientIDs : [], args),
  },
}
