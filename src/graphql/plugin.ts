import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import mercurius, { type IResolvers } from 'mercurius'
import { type Context, callerKey } from '../context.ts'
import { AppError } from '../errors.ts'
import { readOnlyJSON } from '../http/json-body.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { readCookies } from '../http/session-cookie.ts'
import {
  outageOf,
  renderError,
  renderExecutionErrors,
  renderFailure,
  renderRefusal,
  toHTTPFailure,
} from './errors.ts'
import { challenge, negotiate, parametersOf, refusalStatus, send } from './http.ts'
import { catchUnknownTypes } from './jit.ts'
import { Budget, type CostExtension, type Quotas } from './limits/budget.ts'
import { Deadline } from './limits/deadline.ts'
import { limitDocument, limits } from './limits/limits.ts'
import type { OperationsAtOnce } from './limits/operations-at-once.ts'
import { beforeExecution, cachedDocuments, operationRunner } from './run-operation.ts'

/** Mercurius compiles a document after this many runs. Compiling costs as much as about ten runs. */
const compiledAfter = 5
/** A body can arrive long after its headers. The session or token may have ended meanwhile. */
const checkedAgainAfterMs = 1000

export type ResolverMap = { [type: string]: object | undefined }

export type GraphQLOptions = {
  path: string
  typeDefs: string[]
  resolvers: ResolverMap
  contextOf: (request: FastifyRequest, signal: AbortSignal) => Promise<Context>
  maxBodyBytes: number
  /** Does not include the time in which the body arrives. */
  timeoutSeconds: number
  operationsAtOnce: OperationsAtOnce
  rateLimits: RateLimits
  quotas: Quotas
}

/** Serves GraphQL over HTTP and passes the audits of `graphql-http`. Mercurius runs only the cached documents. */
export async function graphqlRoutes(app: FastifyInstance, options: GraphQLOptions): Promise<void> {
  await readCookies(app)
  await app.register(mercurius, {
    schema: options.typeDefs,
    resolvers: toMercuriusResolvers(options.resolvers),
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
  app.decorateRequest('checkedAt', 0)
  const answer = answerer(app, options)
  const findContext = async (request: FastifyRequest, reply: FastifyReply) => {
    const deadline = request.getDecorator<Deadline>('deadline')
    const context = await deadline.run(reply.raw, () => options.contextOf(request, deadline.signal))
    request.setDecorator('graphqlContext', context)
    request.setDecorator('checkedAt', Date.now())
  }
  app.route({
    method: ['GET', 'POST'],
    url: options.path,
    exposeHeadRoute: false,
    bodyLimit: options.maxBodyBytes,
    onRequest: async (request, reply) => {
      request.setDecorator('deadline', new Deadline(options.timeoutSeconds))
      await findContext(request, reply)
      if (!negotiate(request.headers.accept)) return refuseOtherMediaTypes(request, reply)
    },
    preHandler: async (request, reply) => {
      if (Date.now() - request.getDecorator<number>('checkedAt') > checkedAgainAfterMs)
        await findContext(request, reply)
    },
    handler: answer,
  })
  const otherMethods = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'POST')
  app.route({ method: otherMethods, url: options.path, onRequest: refuseMethod, handler: refuseMethod })
}

/** Mercurius reads `resolveType` instead of the `__resolveType` of the generated types. */
function toMercuriusResolvers(resolvers: ResolverMap): IResolvers {
  const renamed = Object.entries(resolvers).map(([type, fields]) =>
    fields && '__resolveType' in fields ? [type, { resolveType: fields.__resolveType }] : [type, fields],
  )
  return Object.fromEntries(renamed)
}

/** Runs before execution. Otherwise a mutation could run although the caller cannot read its response. */
function refuseOtherMediaTypes(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'Set the Accept header to application/graphql-response+json or application/json.'
  return send(reply, 406, { errors: [renderError(request, 'NOT_ACCEPTABLE', message)] })
}

async function refuseMethod(): Promise<never> {
  throw new AppError('method_not_allowed', 'Send GraphQL requests with POST, or queries with GET.')
}

function answerer(app: FastifyInstance, { operationsAtOnce, rateLimits, quotas }: GraphQLOptions) {
  const runOperation = operationRunner(app)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { source, ...parameters } = parametersOf(request)
    const deadline = request.getDecorator<Deadline>('deadline')
    const own = request.getDecorator<Context>('graphqlContext')
    const budget = new Budget(rateLimits, quotas, own.actor)
    const call = { request, readOnly: request.method === 'GET', deadline, budget, ...parameters }
    const run = () =>
      operationsAtOnce.run(callerKey(own.actor), deadline.signal, () =>
        runOperation(source, { ...own, call }),
      )
    try {
      const result = await deadline.run(reply.raw, run)
      const outage = outageOf(result)
      if (outage) throw outage
      const errors = result.errors && renderExecutionErrors(request, result.errors)
      const status = result.data === undefined ? refusalStatus(request) : 200
      return send(reply, status, { errors, data: result.data, extensions: budget.report(reply) })
    } catch (error) {
      const extensions = budget.report(reply)
      const errors = renderRefusal(request, error)
      if (errors) return send(reply, refusalStatus(request), { errors, extensions })
      return answerFailure(error, request, reply, extensions)
    }
  }
}

/** Sends a failure of the whole request. Its HTTP status does not depend on the media type. */
function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  extensions?: { cost: CostExtension },
): FastifyReply {
  const failure = toHTTPFailure(request, error)
  if (failure.status === 401) reply.header('www-authenticate', challenge(request.headers.authorization))
  if (failure.status === 405) reply.header('allow', request.method === 'GET' ? 'POST' : 'GET, POST')
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  return send(reply, failure.status, { errors: [renderFailure(request, failure)], extensions })
}
