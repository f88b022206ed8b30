import type { Resolvers } from '../../generated/resolver-types.ts'
import { userOf } from '../../users/access.ts'
import { userEdge } from '../../users/list-users.ts'
import { creatorOf } from '../access.ts'
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  endPreviousWebhookKey,
  rotateWebhookKey,
  updateWebhook,
} from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { listWebhooks, webhookEdge } from './list-webhooks.ts'
import type { HasThread, WebhookFormat } from './settings.ts'
import type { WebhookTemplates } from './templates.ts'

export const webhookResolvers = (hasThread: HasThread): Resolvers => ({
  Mutation: {
    createWebhook: async (_root, { input }, ctx) => {
      const { webhook, url } = await createWebhook(ctx, input, hasThread)
      const user = await userOf(ctx, webhook.workspaceID, webhook.userID)
      return { webhook, url, webhookEdge: webhookEdge(webhook), userEdge: userEdge(user) }
    },
    updateWebhook: async (_root, { input }, ctx) => ({
      webhook: await updateWebhook(ctx, input, hasThread),
    }),
    rotateWebhookKey: (_root, { input }, ctx) => rotateWebhookKey(ctx, input),
    endPreviousWebhookKey: async (_root, { input }, ctx) => ({
      webhook: await endPreviousWebhookKey(ctx, input),
    }),
    disableWebhook: async (_root, { input }, ctx) => ({ webhook: await disableWebhook(ctx, input) }),
    enableWebhook: async (_root, { input }, ctx) => ({ webhook: await enableWebhook(ctx, input) }),
    deleteWebhook: async (_root, { input }, ctx) => {
      const webhook = await deleteWebhook(ctx, input)
      return { webhook, removedWebhookID: webhook.id, removedUserID: webhook.userID }
    },
  },
  Webhook: {
    format: ({ format }) => format as WebhookFormat | null,
    hasSignatureSecret: ({ signatureSecret }) => signatureSecret !== null,
    templates: ({ templates }) => templates as WebhookTemplates | null,
    user: ({ workspaceID, userID }, _args, ctx) => userOf(ctx, workspaceID, userID),
    creator: (webhook, _args, ctx) => creatorOf(ctx, webhook),
  },
  Workspace: {
    webhooks: (workspace, args, ctx) => listWebhooks(ctx, workspace, args),
  },
})
