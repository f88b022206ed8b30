import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import { type Context, callerKey } from '../context.ts'
import { AppError } from '../errors.ts'
import { addToLog } from '../http/request-log.ts'
import { inTurns } from '../platform/in-turns.ts'
import { Admissions } from './admissions.ts'
import type { Budget } from './budget.ts'
import { limitCost } from './cost.ts'
import type { Deadline } from './deadline.ts'
import { InvalidDocument } from './errors.ts'
import { limitDocument, limitSource, limits } from './limits.ts'
import { planOf } from './plans.ts'
import { points } from './points.ts'

/** Mercurius keeps up to twice as many, of which each takes up to 1 MB. */
export const cachedDocuments = 128
/** To parse and validate a document takes as long as to render so many characters for each of its own. */
const charactersEach = 2.5
const maxCharacters = 20_000
const loggedNameCharacters = 100

/** The context of resolvers, with what is needed of the request before they run. */
export type CallContext = Context & {
  call: {
    request: FastifyRequest
    readOnly: boolean
    deadline: Deadline
    budget: Budget
    operationName: string | undefined
    variables: Record<string, unknown> | undefined
  }
}

/** Runs operations. Mercurius runs those whose document it caches; the others are parsed here, in fair turns. */
export function operationRunner(
  app: FastifyInstance,
): (source: string, context: CallContext) => Promise<ExecutionResult> {
  const admissions = new Admissions(cachedDocuments)
  return async (source, context) => {
    const { operationName, budget, request } = context.call
    if (operationName !== undefined) addToLog(request, { operation: loggedName(operationName) })
    const caller = callerKey(context.actor)
    const key = keyOf(source, operationName)
    const runCached = () => app.graphql(key, context, undefined, operationName)
    limitSource(source)
    if (admissions.has(key)) return runCached()
    await budget.spend(Math.ceil(points.character * source.length))
    if (admissions.admit(caller, key)) return inTurn(source, context, runCached)
    const { schema } = app.graphql
    const document = await inTurn(source, context, () => parseAndValidate(schema, source))
    const { variables } = await beforeExecution(schema, document, context)
    admissions.note(caller, key)
    return execute({ schema, document, contextValue: context, variableValues: variables, operationName })
  }
}

function loggedName(operationName: string): string {
  return operationName.slice(0, loggedNameCharacters)
}

/**
 * The source as mercurius caches it. What it has compiled, it runs whatever operation is named: so the name is part of
 * the source, as a comment. And it takes a source that fails to parse for a syntax tree in JSON: a comma is blank to
 * GraphQL and ends no JSON.
 */
function keyOf(source: string, operationName: string | undefined): string {
  return operationName === undefined ? `${source},` : `${source},#${JSON.stringify(operationName)}`
}

function inTurn<T>(source: string, { db }: Context, work: () => T): T | Promise<T> {
  return inTurns(db, Math.min(charactersEach * source.length, maxCharacters), work)
}

/** Throws InvalidDocument, `limit_exceeded`. */
function parseAndValidate(schema: GraphQLSchema, source: string): DocumentNode {
  const document = parsed(source)
  limitDocument(document)
  const errors = validate(schema, document)
  if (errors.length > 0) throw new InvalidDocument(errors)
  return document
}

function parsed(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: limits.tokens })
  } catch (error) {
    throw new InvalidDocument([error])
  }
}

/**
 * Refuses mutations by GET (GraphQL over HTTP, "GET"), charges for the operation, and brings in the variables: given to
 * mercurius earlier, bad ones would look like an invalid document. Its own check of GET, in `reply.graphql`, throws a
 * TypeError for an unknown name. To name the document in the answer keeps mercurius from compiling it, or from running
 * what it has compiled.
 */
export async function beforeExecution(
  schema: GraphQLSchema,
  document: DocumentNode,
  { call }: CallContext,
): Promise<{ document?: DocumentNode; variables: Record<string, unknown> | undefined }> {
  const { variables } = call
  const plan = planOf(schema, document, call.operationName)
  if (!plan) return { document, variables }
  const { operation: operationType, name } = plan.operation
  addToLog(call.request, { operation: name && loggedName(name.value), operationType })
  if (call.readOnly && plan.operation.operation === 'mutation') {
    throw new AppError('method_not_allowed', 'GET runs queries only; send a mutation with POST.')
  }
  await call.budget.spend(limitCost(plan.extent, variables))
  call.deadline.isMutation = plan.operation.operation === 'mutation'
  return plan.compilable ? { variables } : { document, variables }
}
