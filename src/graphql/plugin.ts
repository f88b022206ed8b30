import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import mercurius, { type IResolvers } from 'mercurius'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { readOnlyJSON } from '../json-body.ts'
import { renderError, renderExecutionErrors, renderFailure, renderRefusal, toHTTPFailure } from './errors.ts'
import { challenge, negotiate, parametersOf, refusalStatus, send } from './http.ts'
import { limitSize } from './limits.ts'

const path = '/public/graphql'
const maxTokens = 10_000
/** The standard introspection query has 15 levels. */
const maxDepth = 20
/** Mercurius keeps up to twice as many valid ones and twice as many invalid ones; one of 10,000 tokens takes 2.2 MB. */
const cachedDocuments = 64

/** Resolvers by type and field, as the generated types have them. */
export type ResolverMap = { [type: string]: object | undefined }

export type GraphQLDoorOptions = {
  typeDefs: string[]
  resolvers: ResolverMap
  /** Who is calling: resolves to the context, or throws `unauthenticated`. */
  contextOf: (request: FastifyRequest) => Promise<Context>
  maxBodyBytes: number
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
    queryDepth: maxDepth,
    graphql: { parseOptions: { maxTokens } },
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  })
  app.graphql.addHook('preExecution', beforeExecution)
  app.setErrorHandler(answerFailure)
  readOnlyJSON(app)
  app.decorateRequest('graphqlContext')
  app.route({
    method: ['GET', 'POST'],
    url: path,
    exposeHeadRoute: false,
    bodyLimit: options.maxBodyBytes,
    onRequest: [
      async (request) => request.setDecorator('graphqlContext', await options.contextOf(request)),
      refuseOtherMediaTypes,
    ],
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
async function refuseOtherMediaTypes(request: FastifyRequest, reply: FastifyReply) {
  if (negotiate(request.headers.accept)) return
  const message = 'Accept application/graphql-response+json or application/json.'
  return send(reply, 406, { errors: [renderError(request, 'NOT_ACCEPTABLE', message)] })
}

async function refuseMethod(): Promise<never> {
  throw new AppError('method_not_allowed', 'GraphQL is served to POST, and queries to GET.')
}

/** The context of resolvers, with what the hook before the execution needs to know of the request. */
type CallContext = Context & {
  call: {
    readOnly: boolean
    operationName: string | undefined
    variables: Record<string, unknown> | undefined
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply) {
  const { source, ...parameters } = parametersOf(request)
  const context: CallContext = {
    ...request.getDecorator<Context>('graphqlContext'),
    call: { readOnly: request.method === 'GET', ...parameters },
  }
  try {
    // Mercurius takes a source that fails to parse for a syntax tree in JSON. A comma is blank to GraphQL and ends no JSON.
    const result = await request.server.graphql(`${source},`, context, undefined, parameters.operationName)
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
 * Refuses mutations by GET (GraphQL over HTTP, "GET"), and brings in the variables: given to mercurius earlier, bad ones
 * would look like an invalid document. Its own check of GET, in `reply.graphql`, throws a TypeError for an unknown name.
 */
async function beforeExecution(schema: GraphQLSchema, document: DocumentNode, { call }: CallContext) {
  const operation = getOperationAST(document, call.operationName)
  if (call.readOnly && operation?.operation === 'mutation') {
    throw new AppError('method_not_allowed', 'GET runs queries only; send a mutation with POST.')
  }
  if (operation) limitSize(schema, document, operation, call.variables)
  return { variables: call.variables }
}

/** Answers what failed before GraphQL began, with a status that says so in either media type. */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toHTTPFailure(request, error)
  if (failure.status === 401) reply.header('www-authenticate', challenge(request.headers.authorization))
  if (failure.status === 405) reply.header('allow', request.method === 'GET' ? 'POST' : 'GET, POST')
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  return send(reply, failure.status, { errors: [renderFailure(request, failure)] })
}
