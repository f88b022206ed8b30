import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildASTSchema, type FormattedExecutionResult, type GraphQLSchema, parse } from 'graphql'
import mercurius, { type IResolvers } from 'mercurius'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { readOnlyJSON } from '../http/bodies/json-body.ts'
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
import { Budget, type CostExtension } from './limits/budget.ts'
import { connectionClosed, Deadline } from './limits/deadline.ts'
import { limitDocument, limits } from './limits/limits.ts'
import { catchUnknownTypes } from './operations/jit.ts'
import {
  beforeExecution,
  cachedDocuments,
  callContext,
  type LimitedRunner,
  limitedRunner,
} from './operations/run-operation.ts'
import type { GraphQLOptions, ResolverMap, Subscriptions } from './options.ts'
import { acceptsEventStream, messagesOf, sendEventStream } from './subscriptions/event-stream.ts'
import { openSubscription } from './subscriptions/open-subscription.ts'
import { webSocketHandler } from './subscriptions/web-socket.ts'

/** Mercurius compiles a document after this many runs. Compiling costs as much as about ten runs. */
const compiledAfter = 5
/** A body can arrive long after its headers. The session or token may have ended meanwhile. */
const checkedAgainAfterMs = 1000

/** Serves GraphQL over HTTP and passes the audits of `graphql-http`. Mercurius runs only the cached documents. */
export async function graphqlRoutes(app: FastifyInstance, options: GraphQLOptions): Promise<void> {
  await readCookies(app)
  await app.register(mercurius, {
    schema: schemaOf(options.typeDefs),
    resolvers: toMercuriusResolvers(options.resolvers),
    routes: false,
    cache: cachedDocuments,
    jit: compiledAfter,
    graphql: { parseOptions: { maxTokens: limits.tokens } },
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  })
  const { schema } = app.graphql
  catchUnknownTypes(schema)
  addSubscriptions(schema, options.subscriptions)
  app.graphql.addHook('preValidation', async (_schema, document) => limitDocument(document))
  app.graphql.addHook('preExecution', beforeExecution)
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
  readOnlyJSON(app)
  app.decorateRequest('graphqlContext')
  app.decorateRequest('deadline')
  app.decorateRequest('checkedAt', 0)
  const findContext = async (request: FastifyRequest, reply: FastifyReply) => {
    const deadline = request.getDecorator<Deadline>('deadline')
    const context = await deadline.run(reply.raw, () => options.contextOf(request, deadline.signal))
    request.setDecorator('graphqlContext', context)
    request.setDecorator('checkedAt', performance.now())
  }
  const run = limitedRunner(app, options.operationsAtOnce)
  const answer = answerer(app, options, run)
  const route = {
    url: options.path,
    exposeHeadRoute: false,
    bodyLimit: options.maxBodyBytes,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      // A WebSocket sends its token when it is open.
      if (request.ws) return
      request.setDecorator('deadline', new Deadline(options.timeoutSeconds))
      await findContext(request, reply)
      const { accept } = request.headers
      if (!negotiate(accept) && !acceptsEventStream(accept)) return refuseOtherMediaTypes(request, reply)
    },
    preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.ws) return
      if (performance.now() - request.getDecorator<number>('checkedAt') > checkedAgainAfterMs)
        await findContext(request, reply)
    },
    handler: answer,
  }
  app.route({ ...route, method: 'POST' })
  app.route({ ...route, method: 'GET', wsHandler: webSocketHandler(app, options, run) })
  const otherMethods = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'POST')
  app.route({ method: otherMethods, url: options.path, onRequest: refuseMethod, handler: refuseMethod })
}

/** Mercurius would validate the SDL, which takes half of the time. The build has already validated it. */
function schemaOf(typeDefs: string[]): GraphQLSchema {
  return buildASTSchema(parse(typeDefs.join('\n'), { noLocation: true }), { assumeValidSDL: true })
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

function answerer(app: FastifyInstance, options: GraphQLOptions, run: LimitedRunner) {
  const { schema } = app.graphql
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = parametersOf(request)
    const accepts = acceptsEventStream(request.headers.accept)
    const deadline = request.getDecorator<Deadline>('deadline')
    const own = request.getDecorator<Context>('graphqlContext')
    const budget = new Budget(options.rateLimits, options.quotas, own.actor)
    const respond = (status: number, body: FormattedExecutionResult) =>
      accepts === 'only' ? sendEventStream(reply, messagesOf(request, body)) : send(reply, status, body)
    try {
      const open = () =>
        openSubscription(schema, options, { request, parameters, closed: closeSignal(reply) })
      const stream = accepts && (await open())
      if (stream) return sendEventStream(reply, messagesOf(request, stream))
      const { source, ...rest } = parameters
      const call = { request, readOnly: request.method === 'GET', deadline, budget, ...rest }
      const result = await run(source, callContext(own, call), reply.raw)
      const outage = outageOf(result)
      if (outage) throw outage
      const errors = result.errors && renderExecutionErrors(request, result.errors)
      const status = result.data === undefined ? refusalStatus(request) : 200
      return respond(status, { errors, data: result.data, extensions: budget.report(reply) })
    } catch (error) {
      const extensions = budget.report(reply)
      const errors = renderRefusal(request, error)
      if (errors) return respond(refusalStatus(request), { errors, extensions })
      return answerFailure(error, request, reply, extensions)
    }
  }
}

/** Adds `subscribe` and `resolve` to the fields, because Mercurius takes only functions as resolvers. */
function addSubscriptions(schema: GraphQLSchema, { fields }: Subscriptions): void {
  const known = schema.getSubscriptionType()?.getFields() ?? {}
  for (const [name, functions] of Object.entries(fields)) Object.assign(known[name] ?? {}, functions)
}

function closeSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  const abort = () => closed.abort(connectionClosed())
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return closed.signal
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
