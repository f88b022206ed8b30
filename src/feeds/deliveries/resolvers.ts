import type { Resolvers } from '../../generated/resolver-types.ts'
import { attemptsOf, listDeliveries } from './list-deliveries.ts'
import { eventIDOf } from './logged-event.ts'
import { replayDeliveries, replayDelivery } from './replay-deliveries.ts'
import { skipDelivery } from './skip-delivery.ts'

export const deliveryResolvers: Resolvers = {
  Query: {
    deliveries: (_root, args, ctx) => listDeliveries(ctx, args),
  },
  Mutation: {
    replayDelivery: async (_root, { input }, ctx) => ({ delivery: await replayDelivery(ctx, input) }),
    replayDeliveries: async (_root, { input }, ctx) => ({
      deliveryCount: await replayDeliveries(ctx, input),
    }),
    skipDelivery: async (_root, { input }, ctx) => ({ delivery: await skipDelivery(ctx, input) }),
  },
  EventDelivery: {
    eventID: eventIDOf,
    status: ({ status }) => status as 'pending',
    attempts: (delivery, _args, ctx) => attemptsOf(ctx, delivery),
  },
}
