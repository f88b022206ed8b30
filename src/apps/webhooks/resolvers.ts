import type { Resolvers } from '../../generated/resolver-types.ts'
import { userOf } from '../../users/access.ts'
import { deleteWebhook, disableWebhook, enableWebhook, rotateWebhookKey } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { listWebhooks } from './list-webhooks.ts'

export const webhookResolvers: Resolvers = {
  Mutation: {
    createWebhook: (_root, { input }, ctx) => createWebhook(ctx, input),
    rotateWebhookKey: (_root, { input }, ctx) => rotateWebhookKey(ctx, input),
    disableWebhook: async (_root, { input }, ctx) => ({ webhook: await disableWebhook(ctx, input) }),
    enableWebhook: async (_root, { input }, ctx) => ({ webhook: await enableWebhook(ctx, input) }),
    deleteWebhook: async (_root, { input }, ctx) => ({ webhook: await deleteWebhook(ctx, input) }),
  },
  Webhook: {
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
  },
  Workspace: {
    webhooks: (workspace, args, ctx) => listWebhooks(ctx, workspace, args),
  },
}
