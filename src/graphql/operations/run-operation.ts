import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { type Context, callerKey } from '../../context.ts'
import { AppError, invalidField } from '../../errors.ts'
import { addToLog } from '../../http/request-log.ts'
import { inTurns } from '../../platform/scheduling/in-turns.ts'
import { InvalidDocument } from '../errors.ts'
import { Admissions } from '../limits/admissions.ts'
import type { Budget } from '../limits/budget.ts'
import { limitCost } from '../limits/cost.ts'
import type { Deadline } from '../limits/deadline.ts'
import { limitDocument, limitSource, limits } from '../limits/limits.ts'
import type { OperationsAtOnce } from '../limits/operations-at-once.ts'
import { points } from '../limits/points.ts'
import { observeOperation } from './observe-operation.ts'
import { analysisOf } from './operation-analysis.ts'

/** Mercurius caches up to twice as many documents, each of up to 1 MB. */
export const cachedDocuments = 128
/** Parsing and validating one character takes as long as rendering this many (see `inTurns`). */
const renderedCharactersPerCharacter = 2.5
const maxTurnCharacters = 20_000
const loggedNameCharacters = 100

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

/**
 * Returns the context of an operation, with the fields that Mercurius sets. If Mercurius had to add them, V8 would make
 * the object a dictionary. That costs 16 µs for each operation.
 */
export function callContext(context: Context, call: CallContext['call']): CallContext {
  const withCall = {
    app: null,
    errors: null,
    preParsing: null,
    preValidation: null,
    preExecution: null,
    onResolution: null,
    preSubscriptionParsing: null,
    preSubscriptionExecution: null,
    onSubscriptionResolution: null,
    onSubscriptionEnd: null,
    ...context,
    call,
  }
  return withCall
}

/** Runs an operation in a slot of its caller, or without a slot if it is cheap, within its time limit. */
export type LimitedRunner = (
  source: string,
  context: CallContext,
  connection: Parameters<Deadline['run']>[0],
) => Promise<ExecutionResult>

/** Returns a function that runs operations. Mercurius runs cached documents. This file parses others, in turns. */
export function limitedRunner(app: FastifyInstance, operationsAtOnce: OperationsAtOnce): LimitedRunner {
  const admissions = new Admissions(cachedDocuments)

  async function runOperation(source: string, key: string, context: CallContext): Promise<ExecutionResult> {
    const { operationName, budget } = context.call
    const caller = callerKey(context.actor)
    const runCached = () => app.graphql(key, context, undefined, operationName)
    limitSource(source)
    if (admissions.has(key)) return runCached()
    await budget.spend(Math.ceil(points.character * source.length))
    if (admissions.admit(caller, key)) return inTurnsForSource(source, context, runCached)
    const { schema } = app.graphql
    const document = await parseInTurns(schema, source, context)
    const { variables } = await beforeExecution(schema, document, context)
    admissions.recordSeen(caller, key, analysisOf(schema, document, operationName)?.isCheap ?? false)
    return execute({ schema, document, contextValue: context, variableValues: variables, operationName })
  }

  return (source, context, connection) => {
    const { actor, call } = context
    const { operationName, request, deadline } = call
    if (operationName !== undefined) addToLog(request, { operation: loggedName(operationName) })
    const key = keyOf(source, operationName)
    const run = () => runOperation(source, key, context)
    const isCheap = admissions.isCheap(key)
    return observeOperation(actor, deadline, () =>
      deadline.run(connection, () =>
        isCheap
          ? operationsAtOnce.runCheap(callerKey(actor), deadline.signal, run)
          : operationsAtOnce.run(callerKey(actor), deadline.signal, run),
      ),
    )
  }
}

export function logOperation(request: FastifyRequest, { operation, name }: OperationDefinitionNode): void {
  addToLog(request, { operation: name && loggedName(name.value), operationType: operation })
}

function loggedName(operationName: string): string {
  return operationName.slice(0, loggedNameCharacters)
}

// Mercurius caches the document under this source. A compiled document always runs the same operation. Therefore the
// source contains the operation name, in a comment. If a source does not parse, Mercurius reads it as a syntax tree in
// JSON. The comma prevents that: GraphQL ignores it, and no JSON ends with it.
function keyOf(source: string, operationName: string | undefined): string {
  return operationName === undefined ? `${source},` : `${source},#${JSON.stringify(operationName)}`
}

function inTurnsForSource<T>(source: string, { db }: Context, work: () => T): T | Promise<T> {
  return inTurns(db, Math.min(renderedCharactersPerCharacter * source.length, maxTurnCharacters), work)
}

export function parseInTurns(
  schema: GraphQLSchema,
  source: string,
  context: Context,
): DocumentNode | Promise<DocumentNode> {
  return inTurnsForSource(source, context, () => parseAndValidate(schema, source))
}

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

/** Rejects mutations by GET, charges for the operation, and returns the variables. */
export async function beforeExecution(
  schema: GraphQLSchema,
  document: DocumentNode,
  { call }: CallContext,
): Promise<{ document?: DocumentNode; variables: Record<string, unknown> | undefined }> {
  // If Mercurius received the variables earlier, it would report invalid variables as an invalid document.
  const { variables } = call
  const analysis = analysisOf(schema, document, call.operationName)
  if (!analysis) return { document, variables }
  logOperation(call.request, analysis.operation)
  // Replaces Mercurius's own check, which throws a TypeError for an unknown operation name.
  if (call.readOnly && analysis.operation.operation === 'mutation') {
    throw new AppError('method_not_allowed', 'GET requests can only run queries. Send mutations with POST.')
  }
  if (analysis.operation.operation === 'subscription')
    throw invalidField('query', 'is a subscription. Send Accept: text/event-stream, or use a WebSocket')
  await call.budget.spend(limitCost(analysis.extent, variables))
  call.deadline.isMutation = analysis.operation.operation === 'mutation'
  call.request.isRead = !call.deadline.isMutation
  // If the document is returned, Mercurius neither compiles it nor runs compiled code.
  return analysis.compilable ? { variables } : { document, variables }
}
