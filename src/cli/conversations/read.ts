import { InvalidArgumentError, Option } from 'commander'
import type { Skein } from '../../sdk/index.ts'
import { escapeControlCharacters } from '../../text/escape-control-characters.ts'
import { Failure } from '../failure.ts'
import { minuteOf } from '../print.ts'
import { resolveConversation } from '../references.ts'
import type { Subcommand } from '../subcommands.ts'
import { connect } from './connect.ts'
import { credentialsOption } from './send.ts'

type Message = { id: string; createdAt: string; text: string; user: { id: string; name: string } }
type Messages = { nodes: Message[] }

const maxMessages = 100
const messages = 'messages(last: $last) { nodes { id createdAt text user { id name } } }'

export const read: Subcommand = {
  usage: 'read <from>',
  description: 'Print the latest messages of a group chat, a DM or a thread, as an app sees them.',
  options: [
    credentialsOption,
    new Option('--last <count>', 'the number of messages, at most 100').default(20).argParser(countOf),
  ],
  example: 'Builds --last 5',
  run: async (client, command, { env }) => {
    const [from] = command.processedArgs as [string]
    const { last } = command.opts<{ last: number }>()
    const skein = await connect(client, command, env)
    const { nodes } = await messagesOf(skein, await resolveConversation(skein, from), last)
    return { json: nodes, text: nodes.map(lineOf).join('\n') || 'No messages.' }
  },
}

async function messagesOf(skein: Skein, id: string, last: number): Promise<Messages> {
  const conversation = await findConversation(skein, id, last)
  if (!conversation?.messages) {
    throw new Failure('The conversation does not exist, or the app cannot read it.')
  }
  return conversation.messages
}

/** Finds a conversation with its latest messages. A DM is the persistent chat of the UserEdge of its two users. */
async function findConversation(skein: Skein, id: string, last: number): Promise<Conversation | undefined> {
  if (id.startsWith('thr_')) return ask(skein, `thread(id: $id) { ${messages} }`, { id, last })
  if (id.startsWith('usr_')) {
    const edgeID = `${id}-${(await skein.me()).id}`
    const field = `node(id: $id) { ... on UserEdge { persistentChatEdge { node { ${messages} } } } }`
    return (await ask(skein, field, { id: edgeID, last }))?.persistentChatEdge?.node
  }
  return (await ask(skein, `group(id: $id) { chat { ${messages} } }`, { id, last }))?.chat
}

type Conversation = { messages?: Messages; chat?: Conversation; persistentChatEdge?: { node: Conversation } }

async function ask(
  skein: Skein,
  field: string,
  variables: { id: string; last: number },
): Promise<Conversation | undefined> {
  const data = await skein.request<{ [field: string]: Conversation | null }>(
    `query ($id: ID!, $last: Int!) { ${field} }`,
    variables,
  )
  return Object.values(data)[0] ?? undefined
}

function lineOf({ createdAt, user, text }: Message): string {
  const [first = '', ...rest] = text.trimEnd().split('\n').map(escapeControlCharacters)
  return [
    `${minuteOf(createdAt)}  ${escapeControlCharacters(user.name)}: ${first}`,
    ...rest.map((line) => `    ${line}`.trimEnd()),
  ].join('\n')
}

function countOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= maxMessages) return count
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxMessages}.`)
}
