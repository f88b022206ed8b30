const origin = 'origin { kind via isOwn appID webhookID }'
const messageFields = `id text html position createdAt editedAt deletedAt uniqueBy
  version state senderName allowMentions isPlain calledAt
  buttonsRevision buttons { buttonID label style confirm url }
  user { id name kind } ${origin}
  attachments(first: 10) { nodes { id name size contentType width height } }`
const message = `message { ${messageFields} }`
const systemMessage = `message {
  id text html position createdAt user { id name kind } ${origin} event { type subject recipients(first: 50) { nodes { id name } } }
}`
const threadFields = `id subject isPeristentChat threadType kind createdAt closedAt state recipientsLocked repliesOff threadBy
  startedBy { id name kind } recipients(first: 50) { nodes { __typename id name } }`
const thread = `thread { ${threadFields} }`
const group = 'group { id name description isPrivate isGeneral createdAt }'

/** The fields of the GraphQL type Event in a body, by the type of the event or by the noun at its beginning. */
export const eventDocuments: Record<string, string> = {
  message: `{ objectID threadID ${message} ${thread} }`,
  'message.buttonPressed': `{ objectID threadID buttonID user { id name kind } ${message} ${thread} }`,
  reaction: `{ objectID threadID emoji user { id name kind } ${message} ${thread} }`,
  'thread.created': `{ objectID threadID thread { ${threadFields} messages(first: 1) { nodes { ${messageFields} } } } }`,
  thread: `{ objectID threadID previousSubject ${systemMessage} ${thread} }`,
  recipients: `{ objectID threadID recipientIDs ${systemMessage} ${thread} }`,
  group: `{ objectID ${group} }`,
  'members.added': `{ objectID userIDs user { id name kind } ${group} }`,
  members: `{ objectID userIDs ${group} }`,
  member: `{ objectID userIDs role ${group} }`,
  user: '{ objectID user { id name kind avatarURL createdAt deletedAt } }',
  app: '{ objectID app { id name } }',
  webhook: '{ objectID webhook { id name description createdAt disabledAt deletedAt user { id name } } }',
}
