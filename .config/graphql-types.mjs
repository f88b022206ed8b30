// Generates from the .graphql files: the type definitions, the resolver types, the client and the web app's schema.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codegen } from '@graphql-codegen/core'
import * as documents from '@graphql-codegen/typed-document-node'
import * as typescript from '@graphql-codegen/typescript'
import * as operations from '@graphql-codegen/typescript-operations'
import * as resolvers from '@graphql-codegen/typescript-resolvers'
import { buildASTSchema, buildSchema, Kind, parse, printSchema, visit } from 'graphql'
import { expandSDL } from './expand-sdl.mjs'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const isOperation = (file) => file.startsWith(join('sdk', 'operations'))
const files = readdirSync(source, { recursive: true })
  .filter((file) => file.endsWith('.graphql') && !file.startsWith('generated'))
  .sort()
const read = (file) => readFileSync(join(source, file), 'utf8')
// Only /operator/graphql has the types and fields of these files.
const isOfOperator = (file) => file.endsWith('.operator.graphql')
const definitions = files.filter((file) => !isOperation(file))
const typeDefs = expandSDL(definitions.filter((file) => !isOfOperator(file)).map(read))
const operatorTypeDefs = expandSDL(definitions.filter(isOfOperator).map(read))
const schema = parse([...typeDefs, ...operatorTypeDefs].join('\n'))
buildASTSchema(schema) // Refuses a mark at a wrong place.

// For these types, resolvers receive and return the row of their table.
const rows = [
  'User',
  'Group',
  'Workspace',
  'Thread',
  'App',
  'Installation',
  'Webhook',
  'UploadTicket',
  'PersonalAccessToken',
  'Session',
  'OperatorToken',
  'EventEndpoint',
  'EventDelivery',
  'EventAttempt',
]

const types = await codegen({
  filename: 'resolver-types.ts',
  schema,
  documents: [],
  plugins: [{ typescript: {} }, { resolvers: {} }],
  pluginMap: { typescript, resolvers },
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    scalars: {
      ID: 'string',
      DateTime: { input: 'string', output: 'Date' },
      Version: { input: 'number | string', output: 'number | bigint' },
      ThreadClosed: { input: "boolean | 'keep'", output: "boolean | 'keep'" },
      Scope: 'string',
      URL: 'string',
      HTML: 'string',
    },
    contextType: '../context.ts#Context',
    mappers: {
      ...Object.fromEntries(rows.map((row) => [row, `./prisma/client.ts#${row} as ${row}Row`])),
      AuditEntry: '../workspaces/audit/list-audit-entries.ts#ListedAuditEntry',
      AuditActor: '../workspaces/audit/list-audit-entries.ts#ListedAuditEntry',
      Invitation: '../workspaces/invitations/list-invitations.ts#ListedInvitation',
      File: '../files/rows.ts#FileRow',
      Viewer: '../context.ts#UserActor',
      Grant: '../apps/grants/list-grants.ts#PersonalGrant',
      UserEdge: '../threads/user-edge.ts#UserEdge as UserEdgeRow',
      Message: '../messages/rows.ts#AuthoredMessage',
      WebhookCall: '../messages/webhook-calls/list-calls.ts#VisibleCall',
      MessageOrigin: '../messages/send/origin.ts#OriginParent',
      MessageButton: '../messages/buttons/list-presses.ts#MessageButton as MessageButtonRow',
      ButtonPress: '../messages/buttons/list-presses.ts#Press',
      PressMessageButtonPayload: '../messages/buttons/press-button.ts#PressResult',
      Reaction: '../messages/reactions/list-reactions.ts#EmojiReactions',
      ThreadEvent: '../messages/thread-changes/events.ts#ThreadEvent as ThreadEventRow',
      Event: '../events/read-events.ts#LoggedEvent',
      InboxChange: '../feeds/following/inbox-changes.ts#InboxChange as InboxChangeRow',
      MessageSearchEdge: '../messages/search/search-messages.ts#FoundEdge',
      SendMessagePayload: '../messages/send/send-message.ts#SendMessageResult',
      EditMessagePayload: '../messages/lock-message.ts#ChangeMessageResult',
      DeleteMessagePayload: '../messages/lock-message.ts#ChangeMessageResult',
      AddReactionPayload: '../messages/reactions/react.ts#ReactionResult',
      RemoveReactionPayload: '../messages/reactions/react.ts#ReactionResult',
      MarkReadPayload: '../messages/reads/mark-read.ts#MarkReadResult',
      MarkUnreadPayload: '../messages/reads/mark-read.ts#MarkReadResult',
      UpdateThreadPayload: '../messages/thread-changes/change-thread.ts#ThreadChange',
      AddRecipientsPayload: '../messages/thread-changes/change-thread.ts#ThreadChange',
      RemoveRecipientsPayload: '../messages/thread-changes/change-recipients.ts#RemoveRecipientsResult',
    },
  },
})

// The client throws on every error. Its users therefore never see null in a @semanticNonNull field.
const throwing = visit(schema, {
  FieldDefinition: ({ directives, type, ...field }) =>
    directives.some(({ name }) => name.value === 'semanticNonNull')
      ? { ...field, directives, type: { kind: Kind.NON_NULL_TYPE, type } }
      : undefined,
})

const client = await codegen({
  filename: 'sdk.ts',
  schema: throwing,
  documents: files.filter(isOperation).map((file) => ({ location: file, document: parse(read(file)) })),
  plugins: [{ operations: {} }, { documents: {} }],
  pluginMap: { operations, documents },
  config: {
    useTypeImports: true,
    skipTypename: true,
    arrayInputCoercion: false,
    documentMode: 'string',
    // A caller can list the values, for example Object.values(EventType).
    enumType: 'const',
    namingConvention: { enumValues: 'keep' },
    scalars: {
      ID: 'string',
      DateTime: 'string',
      Scope: 'string',
      URL: 'string',
      HTML: 'string',
      Version: 'number',
      ThreadClosed: "boolean | 'keep'",
    },
  },
})

mkdirSync(join(source, 'generated'), { recursive: true })
writeFileSync(
  join(source, 'generated/type-defs.ts'),
  `export const typeDefs: string[] = ${JSON.stringify(typeDefs, null, 2)}
/** What the schema of the operator has besides \`typeDefs\`. */
export const operatorTypeDefs: string[] = ${JSON.stringify(operatorTypeDefs, null, 2)}
`,
)
writeFileSync(join(source, 'generated/resolver-types.ts'), types)
// The compiler of the web app reads this file.
writeFileSync(join(source, 'generated/schema.graphql'), printSchema(buildSchema(typeDefs.join('\n'))))
// The client has no dependencies.
const core = '@graphql-typed-document-node/core'
writeFileSync(join(source, 'generated/sdk.ts'), client.replace(core, '../sdk/requests/graphql.ts'))
