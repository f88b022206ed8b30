import type { Context } from '../../context.ts'
import type { EventType } from '../../events/event-types.ts'
import type { LoggedEvent } from '../../events/read-events.ts'
import type { EventDelivery } from '../../generated/prisma/client.ts'
import type { Resolvers } from '../../generated/resolver-types.ts'
import { findThread } from '../../threads/access.ts'
import { findWorkspace } from '../../workspaces/access.ts'
import { canHear } from '../can-hear.ts'
import { typeName } from '../resolvers.ts'
import { attemptsOf, listDeliveries } from './list-deliveries.ts'
import { eventIDOf, loggedEventOf, testType } from './logged-event.ts'
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
    event: (delivery, _args, ctx) => eventFor(ctx, delivery),
    eventWorkspace: ({ eventWorkspaceID }, _args, ctx) => findWorkspace(ctx, eventWorkspaceID),
    thread: async ({ threadID }, _args, ctx) =>
      threadID === null || ctx.actor.kind === 'operator' ? null : ((await findThread(ctx, threadID)) ?? null),
    type: ({ type }) => (type === testType ? null : typeName(type as EventType)),
    status: ({ status }) => status as 'pending',
    attempts: (delivery, _args, ctx) => attemptsOf(ctx, delivery),
  },
}

/** Returns the event of a delivery, if the caller is allowed to receive it. The operator receives no events. */
async function eventFor({ actor, ...ctx }: Context, delivery: EventDelivery): Promise<LoggedEvent | null> {
  const event = loggedEventOf(delivery)
  if (!event || actor.kind !== 'user' || actor.workspaceID !== event.workspaceID) return null
  return (await canHear({ ...ctx, actor }, event)) ? event : null
}
