import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import mercurius, { type IResolvers } from 'mercurius'
import { type Context, callerKey } from '../context.ts'
import { AppError } from '../errors.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { readOnlyJSON } from '../json-body.ts'
import { catchUnknownTypes } from './abstract-types.ts'
import { Budget, type Quotas, type ToldCost } from './budget.ts'
import { Deadline } from './deadline.ts'
import {
  outageOf,
  renderError,
  renderExecutionErrors,
  renderFailure,
  renderRefusal,
  toHTTPFailure,
} from './errors.ts'
import { challenge, negotiate, parametersOf, refusalStatus, send } from './http.ts'
import { limitDocument, limits } from './limits.ts'
import { OperationsAtOnce } from './operations-at-once.ts'
import { beforeExecution, cachedDocuments, operationRunner } from './run-operation.ts'

const path = '/public/graphql'
/** A document is compiled when it comes for the time after these many: to compile costs as much as some ten runs. */
const compiledAfter = 5

/** Resolvers by type and field, as the generated types have them. */
export type ResolverMap = { [type: string]: object | undefined }

export type GraphQLDoorOptions = {
  typeDefs: string[]
  resolvers: ResolverMap
  /** Who is calling: resolves to the context, whose work ends with the signal, or throws `unauthenticated`. */
  contextOf: (request: FastifyRequest, signal: AbortSignal) => Promise<Context>
  maxBodyBytes: number
  /** How long a request may take, from when it has come in. */
  timeoutSeconds: number
  /** How many operations of one caller run at once. */
  operationsAtOnce: number
  rateLimits: RateLimits
  quotas: Quotas
}

/**
 * `/public/graphql`: GraphQL over HTTP, as `graphql-http` audits it. Mercurius parses, validates, caches and executes;
 * the protocol, the statuses and the words of every error are ours.
 */
export async function graphqlDoor(app: FastifyInstance, options: GraphQLDoorOptions): Promise<void> {
  await app.register(mercurius, {
    schema: options.typeDefs,
    resolvers: inMercuriusWords(options.resolvers),
    routes: false,
    cache: cachedDocuments,
    jit: compiledAfter,
    graphql: { parseOptions: { maxTokens: limits.tokens } },
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  })
  catchUnknownTypes(app.graphql.schema)
  app.graphql.addHook('preValidation', async (_schema, document) => limitDocument(document))
  app.graphql.addHook('preExecution', beforeExecution)
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
  readOnlyJSON(app)
  app.decorateRequest('graphqlContext')
  app.decorateRequest('deadline')
  const answer = answerer(app, options)
  app.route({
    method: ['GET', 'POST'],
    url: path,
    exposeHeadRoute: false,
    bodyLimit: options.maxBodyBytes,
    onRequest: async (request, reply) => {
      const deadline = new Deadline(options.timeoutSeconds)
      request.setDecorator('deadline', deadline)
      const findContext = () => options.contextOf(request, deadline.signal)
      const context = await deadline.keep(reply.raw, findContext)
      request.setDecorator('graphqlContext', context)
      if (!negotiate(request.headers.accept)) return refuseOtherMediaTypes(request, reply)
    },
    handler: answer,
  })
  const otherMethods = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'POST')
  app.route({ method: otherMethods, url: path, onRequest: refuseMethod, handler: refuseMethod })
}

/** Mercurius reads `resolveType` where the generated types have `__resolveType`. */
function inMercuriusWords(resolvers: ResolverMap): IResolvers {
  const renamed = Object.entries(resolvers).map(([type, fields]) =>
    fields && '__resolveType' in fields ? [type, { resolveType: fields.__resolveType }] : [type, fields],
  )
  return Object.fromEntries(renamed)
}

/** Before anything runs, so that no mutation is done whose answer the caller cannot read. */
function refuseOtherMediaTypes(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'Accept application/graphql-response+json or application/json.'
  return send(reply, 406, { errors: [renderError(request, 'NOT_ACCEPTABLE', message)] })
}

async function refuseMethod(): Promise<never> {
  throw new AppError('method_not_allowed', 'GraphQL is served to POST, and queries to GET.')
}

function answerer(app: FastifyInstance, { operationsAtOnce, rateLimits, quotas }: GraphQLDoorOptions) {
  const atOnce = new OperationsAtOnce(operationsAtOnce)
  const runOperation = operationRunner(app)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { source, ...parameters } = parametersOf(request)
    const deadline = request.getDecorator<Deadline>('deadline')
    const own = request.getDecorator<Context>('graphqlContext')
    const budget = new Budget(rateLimits, quotas, own.actor)
    const call = { request, readOnly: request.method === 'GET', deadline, budget, ...parameters }
    const run = () =>
      atOnce.run(callerKey(own.actor), deadline.signal, () => runOperation(source, { ...own, call }))
    try {
      const result = await deadline.keep(reply.raw, run)
      const outage = outageOf(result)
      if (outage) throw outage
      const errors = result.errors && renderExecutionErrors(request, result.errors)
      const status = result.data === undefined ? refusalStatus(request) : 200
      return send(reply, status, { errors, data: result.data, extensions: budget.tell(reply) })
    } catch (error) {
      const extensions = budget.tell(reply)
      const errors = renderRefusal(request, error)
      if (errors) return send(reply, refusalStatus(request), { errors, extensions })
      return answerFailure(error, request, reply, extensions)
    }
  }
}

/** Answers what failed before GraphQL began, with a status that says so in either media type. */
function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  extensions?: { cost: ToldCost },
): FastifyReply {
  const failure = toHTTPFailure(request, error)
  if (failure.status === 401) reply.header('www-authenticate', challenge(request.headers.authorization))
  if (failure.status === 405) reply.header('allow', request.method === 'GET' ? 'POST' : 'GET, POST')
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  return send(reply, failure.status, { errors: [renderFailure(request, failure)], extensions })
}
