import { type DocumentNode, execute, type GraphQLObjectType, GraphQLSchema, parse } from 'graphql'
import type { Context, UserActor } from '../../context.ts'
import { toAppError } from '../../errors.ts'
import type { LoggedEvent } from '../../events/read-events.ts'
import { eventDocuments } from './event-documents.ts'

/** Returns the fields of an event as the actor may see them now. */
export type RenderEvent = (ctx: Context<UserActor>, event: LoggedEvent) => Promise<object>

/** Errors that make a field null for this caller. Any other error is a failure of the service. */
const refusals: readonly string[] = ['insufficient_scope', 'forbidden', 'not_found']

const documents = new Map(Object.entries(eventDocuments).map(([name, text]) => [name, parse(text)]))

/** Renders events with the GraphQL schema. Therefore its fields and access checks also apply to bodies. */
export function eventRenderer(schema: GraphQLSchema): RenderEvent {
  const config = { ...schema.toConfig(), mutation: undefined, subscription: undefined }
  const query = schema.getType('Event') as GraphQLObjectType
  const ofEvents = new GraphQLSchema({ ...config, query, assumeValid: true })
  return async (ctx, event) => {
    const document = documentFor(event.type)
    const { data, errors } = await execute({
      schema: ofEvents,
      document,
      rootValue: event,
      contextValue: ctx,
    })
    const failure = errors?.map(({ originalError }) => originalError).find(isFailure)
    if (failure || !data) throw failure ?? new Error(`An event of the type ${event.type} was not rendered`)
    return event.type === 'thread.created' ? withFirstMessage(data) : data
  }
}

function documentFor(type: string): DocumentNode {
  const document = documents.get(type) ?? documents.get(type.slice(0, type.indexOf('.')))
  if (!document) throw new Error(`No document is known for events of the type ${type}`)
  return document
}

function isFailure(error: unknown): boolean {
  return !refusals.includes(toAppError(error).code)
}

type Created = { thread?: { messages?: { nodes: object[] } | null } | null }

// A thread is created with its first message. A chat or DM can be empty.
function withFirstMessage(data: Created): object {
  const { messages, ...thread } = data.thread ?? {}
  return { ...data, message: messages?.nodes[0] ?? null, thread: data.thread && thread }
}
