import type { Resolvers } from '../../generated/resolver-types.ts'
import { userOf } from '../../users/access.ts'
import { userEdge } from '../../users/list-users.ts'
import { creatorOf } from '../access.ts'
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhookKey,
  updateWebhook,
} from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { listWebhooks, webhookEdge } from './list-webhooks.ts'

export const webhookResolvers: Resolvers = {
  Mutation: {
    createWebhook: async (_root, { input }, ctx) => {
      const { webhook, url } = await createWebhook(ctx, input)
      const user = await userOf(ctx, webhook.workspaceID, webhook.userID)
      return { webhook, url, webhookEdge: webhookEdge(webhook), userEdge: userEdge(user) }
    },
    updateWebhook: async (_root, { input }, ctx) => ({ webhook: await updateWebhook(ctx, input) }),
    rotateWebhookKey: (_root, { input }, ctx) => rotateWebhookKey(ctx, input),
    disableWebhook: async (_root, { input }, ctx) => ({ webhook: await disableWebhook(ctx, input) }),
    enableWebhook: async (_root, { input }, ctx) => ({ webhook: await enableWebhook(ctx, input) }),
    deleteWebhook: async (_root, { input }, ctx) => {
      const webhook = await deleteWebhook(ctx, input)
      return { webhook, removedWebhookID: webhook.id, removedUserID: webhook.userID }
    },
  },
  Webhook: {
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
    creator: (webhook, _args, ctx) => creatorOf(ctx, webhook),
  },
  Workspace: {
    webhooks: (workspace, args, ctx) => listWebhooks(ctx, workspace, args),
  },
}
