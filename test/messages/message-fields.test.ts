import { readFileSync } from 'node:fs'
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLObjectType,
  GraphQLSchema,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { expect, test } from 'vitest'
import { eventDocuments } from '../../src/feeds/requests/event-documents.ts'
import { typeDefs } from '../../src/generated/type-defs.ts'

const schema = buildASTSchema(parse(typeDefs.join('\n')))
const query = schema.getType('Event') as GraphQLObjectType
const schemaOfEvents = new GraphQLSchema({ ...schema.toConfig(), query, assumeValid: true })

const sdkFile = new URL('../../src/sdk/operations/fields.graphql', import.meta.url)
const sdkFields = parse(readFileSync(sdkFile, 'utf8'))
const sdkMessage = {
  ...sdkFields,
  definitions: sdkFields.definitions.filter((each) => 'name' in each && each.name?.value === 'MessageFields'),
}
const documentOf = (event: string) => parse(eventDocuments[event] ?? '')

// The fields that are left out, each with the reason.
const ofEveryBody = {
  callsViewer: 'A receiver is a program, and nobody is called.',
  url: 'A receiver is a program, and uses the ID.',
  thread: 'The body has the thread beside the message.',
  cursor: 'Only GraphQL has pages.',
  mentions: 'The text contains the IDs of the mentions.',
  startedThreads: 'Each started thread has the event thread.created.',
  reactions: 'Each reaction has the event reaction.added.',
}
const ofMessageBody = {
  ...ofEveryBody,
  event: 'A system message is in the body of the event of its thread.',
}
const ofSystemMessageBody = {
  ...ofEveryBody,
  editedAt: 'A system message cannot be edited.',
  deletedAt: 'A system message cannot be deleted.',
  attachments: 'A system message has no attachments.',
  buttons: 'A system message has no buttons.',
  buttonsRevision: 'A system message has no buttons.',
  uniqueBy: 'A system message has no key.',
  version: 'A system message has no version.',
  state: 'The thread has the state.',
  senderName: 'The service wrote the message.',
  allowMentions: 'A system message can mention users.',
  isPlain: 'A system message is Markdown.',
  calledAt: 'A system message calls when it is posted.',
}
const ofSDK = {
  callsViewer: 'A program is not notified.',
  url: 'A program uses the ID.',
  thread: 'The caller has named the thread, and an event has its threadID.',
  cursor: 'The SDK reads the pages itself.',
  mentions: 'The text contains the IDs of the mentions.',
  startedThreads: 'Each started thread has the event threadCreated.',
  reactions: 'Each reaction has the event reactionAdded.',
  event: 'The event of the thread says what changed.',
  uniqueBy: 'Only the author sees the key, and has chosen it.',
}

test.each([
  ['the body of an event of a message', documentOf('message'), ofMessageBody],
  ['the body of an event of a reaction', documentOf('reaction'), ofMessageBody],
  ['the body of a press', documentOf('message.buttonPressed'), ofMessageBody],
  ['the body of the event thread.created', documentOf('thread.created'), ofMessageBody],
  ['the body of another event of a thread', documentOf('thread'), ofSystemMessageBody],
  ['the body of an event of recipients', documentOf('recipients'), ofSystemMessageBody],
  ['the SDK', sdkMessage, ofSDK],
])('%s carries each field of a message, unless the field is listed with a reason', (_what, document, leftOut) => {
  const selected = selectedFieldsOf(document)
  expect(selected).toContain('text')
  const fields = Object.keys((schema.getType('Message') as GraphQLObjectType).getFields())
  expect(fields.filter((field) => !selected.includes(field)).sort()).toEqual(Object.keys(leftOut).sort())
})

/** Returns the names of the fields of `Message` that a document selects. */
function selectedFieldsOf(document: DocumentNode): string[] {
  const names: string[] = []
  const types = new TypeInfo(schemaOfEvents)
  const Field = ({ name }: { name: { value: string } }) => {
    if (types.getParentType()?.name === 'Message') names.push(name.value)
  }
  visit(document, visitWithTypeInfo(types, { Field }))
  return names
}
