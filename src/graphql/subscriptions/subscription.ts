import type { FastifyRequest } from 'fastify'
import type { DocumentNode, FormattedExecutionResult, GraphQLSchema } from 'graphql'
import type { Context } from '../../context.ts'
import type { Credentials } from '../callers/credentials.ts'
import type { Parameters } from '../http.ts'
import type { GraphQLOptions } from '../options.ts'

/** `context` has the actor as of the last check. `end` ends the stream, with an error if its reason is an AppError. */
export type Subscription = {
  schema: GraphQLSchema
  options: GraphQLOptions
  request: FastifyRequest
  credentials: Credentials | undefined
  context: Context
  end: AbortController
  document: DocumentNode
  parameters: Parameters
  /** The price of the operation, in points. The caller pays it for each event. */
  cost: number
}

/** Throws an AppError if the caller may no longer receive results, and ProcessStops if the process stops. */
export type ResultStream = AsyncGenerator<FormattedExecutionResult, void, void>
