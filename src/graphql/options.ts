import type { GraphQLField } from 'graphql'
import type { Actor, Context } from '../context.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import type { ContextOf } from './callers/context.ts'
import type { Quotas } from './limits/budget.ts'
import type { OperationsAtOnce } from './limits/operations-at-once.ts'
import type { OpenStreams } from './subscriptions/open-streams.ts'

export type ResolverMap = { [type: string]: object | undefined }

export type Subscriptions = {
  /** The fields of the type Subscription. `subscribe` returns batches of events, and `resolve` receives one event. */
  fields: Record<string, Pick<GraphQLField<unknown, Context>, 'subscribe' | 'resolve'>>
  /** Returns whether an event tells the actor that its credentials have ended. The stream still delivers this event. */
  isFarewell: (event: unknown, actor: Actor) => boolean
}

export type GraphQLOptions = {
  path: string
  typeDefs: string[]
  resolvers: ResolverMap
  subscriptions: Subscriptions
  contextOf: ContextOf
  maxBodyBytes: number
  /** Does not include the time in which the body arrives. */
  timeoutSeconds: number
  operationsAtOnce: OperationsAtOnce
  openStreams: OpenStreams
  /** The limit of messages on one WebSocket. 0 means no limit. */
  messagesPerSecond: number
  rateLimits: RateLimits
  quotas: Quotas
}
