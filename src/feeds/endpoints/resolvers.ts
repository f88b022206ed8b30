import { creatorOf, findApp } from '../../apps/access.ts'
import { findWebhook } from '../../apps/webhooks/access.ts'
import type { EventType } from '../../events/event-types.ts'
import type { EventType as EventTypeName, Resolvers } from '../../generated/resolver-types.ts'
import { findGroupForAnyActor } from '../../groups/access.ts'
import { parseID } from '../../input.ts'
import { sendTestEvent } from '../deliveries/send-test-event.ts'
import { typeName, typeOf } from '../resolvers.ts'
import { endpointsOfApp, endpointsOfWebhook, findEndpoint } from './access.ts'
import {
  deleteEventEndpoint,
  disableEventEndpoint,
  enableEventEndpoint,
  updateEventEndpoint,
} from './change-endpoint.ts'
import { createEventEndpoint } from './create-endpoint.ts'
import { reencryptEventSecrets } from './secrets/reencrypt-secrets.ts'
import { rotateEventEndpointSecret } from './secrets/rotate-secret.ts'

export const endpointResolvers: Resolvers = {
  Query: {
    eventEndpoint: (_root, { id }, ctx) => findEndpoint(ctx, parseID(id)),
  },
  Mutation: {
    createEventEndpoint: (_root, { input }, ctx) => createEventEndpoint(ctx, withTypes(input)),
    updateEventEndpoint: async (_root, { input }, ctx) => ({
      eventEndpoint: await updateEventEndpoint(ctx, withTypes(input)),
    }),
    deleteEventEndpoint: async (_root, { input }, ctx) => ({
      removedEventEndpointID: (await deleteEventEndpoint(ctx, input)).id,
    }),
    rotateEventEndpointSecret: (_root, { input }, ctx) => rotateEventEndpointSecret(ctx, input),
    enableEventEndpoint: async (_root, { input }, ctx) => ({
      eventEndpoint: await enableEventEndpoint(ctx, input),
    }),
    disableEventEndpoint: async (_root, { input }, ctx) => ({
      eventEndpoint: await disableEventEndpoint(ctx, input),
    }),
    sendTestEvent: async (_root, { input }, ctx) => ({ delivery: await sendTestEvent(ctx, input) }),
  },
  EventEndpoint: {
    types: ({ types }) => (types.length > 0 ? types.map((type) => typeName(type as EventType)) : null),
    state: ({ state }) => state as 'active',
    creator: (endpoint, _args, ctx) => creatorOf(ctx, endpoint),
    group: async ({ groupID }, _args, ctx) =>
      groupID === null ? null : ((await findGroupForAnyActor(ctx, groupID)) ?? null),
    app: ({ appID }, _args, ctx) => (appID === null ? null : findApp(ctx, appID)),
    webhook: ({ webhookID }, _args, ctx) => (webhookID === null ? null : findWebhook(ctx, webhookID)),
  },
  App: { eventEndpoints: (app, _args, ctx) => endpointsOfApp(ctx, app) },
  Webhook: { eventEndpoints: (webhook, _args, ctx) => endpointsOfWebhook(ctx, webhook) },
}

export const endpointOperatorResolvers: Resolvers = {
  Mutation: {
    reencryptEventSecrets: (_root, _args, ctx) => reencryptEventSecrets(ctx),
  },
}

/** Converts the event types of the schema to types of the log. An update without `types` must not change the types. */
function withTypes<Input extends { types?: EventTypeName[] | null }>(input: Input) {
  const { types, ...others } = input
  return types
    ? { ...others, types: types.map(typeOf) }
    : { ...others, ...(types === null && { types: null }) }
}
