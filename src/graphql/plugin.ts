import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import mercurius, { type IResolvers } from 'mercurius'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { addToLog } from '../http/request-log.ts'
import { readOnlyJSON } from '../json-body.ts'
import { catchUnknownTypes } from './abstract-types.ts'
import { limitCost } from './cost.ts'
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
import { limitDocument, limitSource, limits } from './limits.ts'
import { planOf } from './plans.ts'

const path = '/public/graphql'
/** Mercurius keeps up to twice as many valid ones and twice as many invalid ones; one of 10,000 tokens takes 2.2 MB. */
const cachedDocuments = 64
/** A document is compiled when it comes for the time after these many: to compile costs as much as some ten runs. */
const compiledAfter = 5
const loggedNameCharacters = 100

/** Resolvers by type and field, as the generated types have them. */
export type ResolverMap = { [type: string]: object | undefined }

export type GraphQLDoorOptions = {
  typeDefs: string[]
  resolvers: ResolverMap
  /** Who is calling: resolves to the context, whose work ends with the signal, or throws `unauthenticated`. */
  contextOf: (request: FastifyRequest, signal: AbortSignal, reply: FastifyReply) => Promise<Context>
  maxBodyBytes: number
  /** How long a request may take, from when it has come in. */
  timeoutSeconds: number
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
  app.setErrorHandler(answerFailure)
  readOnlyJSON(app)
  app.decorateRequest('graphqlContext')
  app.decorateRequest('deadline')
  app.route({
    method: ['GET', 'POST'],
    url: path,
    exposeHeadRoute: false,
    bodyLimit: options.maxBodyBytes,
    onRequest: async (request, reply) => {
      const deadline = new Deadline(options.timeoutSeconds)
      request.setDecorator('deadline', deadline)
      const findContext = () => options.contextOf(request, deadline.signal, reply)
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

/** The context of resolvers, with what the hook before the execution needs to know of the request. */
type CallContext = Context & {
  call: {
    request: FastifyRequest
    readOnly: boolean
    deadline: Deadline
    operationName: string | undefined
    variables: Record<string, unknown> | undefined
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply) {
  const { source, ...parameters } = parametersOf(request)
  const deadline = request.getDecorator<Deadline>('deadline')
  const context: CallContext = {
    ...request.getDecorator<Context>('graphqlContext'),
    call: { request, readOnly: request.method === 'GET', deadline, ...parameters },
  }
  const { operationName } = parameters
  const key = keyOf(source, operationName)
  try {
    limitSource(source)
    const run = () => request.server.graphql(key, context, undefined, operationName)
    const result = await deadline.keep(reply.raw, run)
    const outage = outageOf(result)
    if (outage) throw outage
    const errors = result.errors && renderExecutionErrors(request, result.errors)
    const status = result.data === undefined ? refusalStatus(request) : 200
    return send(reply, status, { errors, data: result.data })
  } catch (error) {
    const errors = renderRefusal(request, error)
    if (!errors) throw error
    return send(reply, refusalStatus(request), { errors })
  }
}

/**
 * The source as mercurius caches it. What it has compiled, it runs whatever operation is named: so the name is part of
 * the source, as a comment. And it takes a source that fails to parse for a syntax tree in JSON: a comma is blank to
 * GraphQL and ends no JSON.
 */
function keyOf(source: string, operationName: string | undefined): string {
  return operationName === undefined ? `${source},` : `${source},#${JSON.stringify(operationName)}`
}

/**
 * Refuses mutations by GET (GraphQL over HTTP, "GET"), and brings in the variables: given to mercurius earlier, bad ones
 * would look like an invalid document. Its own check of GET, in `reply.graphql`, throws a TypeError for an unknown name.
 * To name the document in the answer keeps mercurius from compiling it, or from running what it has compiled.
 */
async function beforeExecution(schema: GraphQLSchema, document: DocumentNode, { call }: CallContext) {
  const { variables } = call
  const plan = planOf(schema, document, call.operationName)
  if (!plan) return { document, variables }
  const { operation: operationType, name } = plan.operation
  addToLog(call.request, { operation: name?.value.slice(0, loggedNameCharacters), operationType })
  if (call.readOnly && plan.operation.operation === 'mutation') {
    throw new AppError('method_not_allowed', 'GET runs queries only; send a mutation with POST.')
  }
  limitCost(plan.extent, variables)
  call.deadline.isMutation = plan.operation.operation === 'mutation'
  return plan.compilable ? { variables } : { document, variables }
}

/** Answers what failed before GraphQL began, with a status that says so in either media type. */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toHTTPFailure(request, error)
  if (failure.status === 401) reply.header('www-authenticate', challenge(request.headers.authorization))
  if (failure.status === 405) reply.header('allow', request.method === 'GET' ? 'POST' : 'GET, POST')
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  return send(reply, failure.status, { errors: [renderFailure(request, failure)] })
}
