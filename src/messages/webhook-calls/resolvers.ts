import { requireScope } from '../../context.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { findMessage } from '../access.ts'
import { contentOf, listCalls } from './list-calls.ts'
import { type Preview, previewCall } from './preview-call.ts'
import { type Resending, resendCall } from './resend-call.ts'

export const webhookCallResolvers = (resending: Resending, preview: Preview): Resolvers => ({
  Mutation: {
    resendWebhookCall: async (_root, { input }, ctx) => ({
      webhookCall: await resendCall(ctx, input, resending),
    }),
  },
  Webhook: {
    calls: (webhook, _args, ctx) => listCalls(ctx, webhook),
  },
  WebhookCall: {
    targetID: ({ isVisible, targetID }) => (isVisible ? targetID : null),
    createdCount: ({ outcome }) => outcome.created,
    updatedCount: ({ outcome }) => outcome.updated,
    staleCount: ({ outcome }) => outcome.stale,
    skipped: ({ outcome }) => outcome.skipped,
    problems: ({ outcome }) => [...outcome.problems],
    ignored: ({ outcome }) => [...outcome.ignored],
    query: async (call, _args, ctx) => (await contentOf(ctx, call))?.query ?? null,
    body: async (call, _args, ctx) => (await contentOf(ctx, call))?.body ?? null,
    isBodyCut: async (call, _args, ctx) => (await contentOf(ctx, call))?.isCut ?? null,
    preview: (call, { templates }, ctx) => previewCall(ctx, call, templates, preview),
    messages: async ({ messageIDs }, _args, ctx) => {
      if (ctx.actor.kind === 'operator') return []
      requireScope(ctx, 'threads.messages:read')
      const messages = await Promise.all(messageIDs.map((id) => findMessage(ctx, id)))
      return messages.filter((message) => message !== undefined)
    },
  },
})
