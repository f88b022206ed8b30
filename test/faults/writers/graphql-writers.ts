import { setTimeout as sleep } from 'node:timers/promises'
import type { Audience } from '../history.ts'
import { type Desk, newText } from './desk.ts'

type Sent = { message: { id: string }; thread: { id: string } }

const longestPauseMs = 50
const emoji = '👍'

/** Sends a message, edits it, adds and removes a reaction, and deletes the message, or does only the first steps. */
export async function converse(desk: Desk): Promise<void> {
  const { random, recorder } = desk
  const audience = random.pick<Audience>(['everyone', 'insiders', 'visitors', 'guests'])
  const objectID = await send(desk, audience)
  if (objectID === undefined) return
  const change = (name: string, input: object) => (url: string) =>
    mutate(desk, url, name, { messageID: objectID, ...input }, 'message { id }')
  const text = newText('revised')
  const edited = await recorder.once(change('editMessage', { text }), () => [
    { type: 'messageUpdated', audience, objectID, text },
  ])
  // An edit that was not acknowledged may still be made later.
  if (edited === undefined) return
  for (const { type, name, ...input } of repeatable.slice(0, 1 + random.below(repeatable.length + 1))) {
    await sleep(random.below(longestPauseMs))
    await recorder.untilAcknowledged(change(name, input), () => [{ type, audience, objectID, ...input }])
  }
}

const repeatable = [
  { type: 'reactionAdded', name: 'addReaction', emoji },
  { type: 'reactionRemoved', name: 'removeReaction', emoji },
  { type: 'messageDeleted', name: 'deleteMessage' },
] as const

/** Sends a message to a thread, or as the first message of a new thread. */
async function send(desk: Desk, audience: Audience): Promise<string | undefined> {
  const { cast, random, recorder } = desk
  const isNew = audience !== 'guests' && random.below(3) === 0
  const where = isNew
    ? { thread: { recipients: [cast.groups[audience]], subject: 'Topic' } }
    : { threadID: cast.threads[audience] }
  const text = newText('fresh')
  const input = { ...where, message: { text } }
  const sent = await recorder.once(
    (url) => mutate<Sent>(desk, url, 'sendMessage', input, 'message { id } thread { id }'),
    (answer) => {
      const message = { type: 'messageCreated', audience, objectID: answer?.message.id, text } as const
      const thread = { ...message, type: 'threadCreated', objectID: answer?.thread.id } as const
      return isNew ? [thread, message] : [message]
    },
  )
  return sent?.message.id
}

/** Adds the rover to the thread for guests, or removes it. */
export async function changeRecipients(desk: Desk): Promise<void> {
  const { recorder, cast } = desk
  const { guests } = cast.turns
  const isPresent = guests.at(-1)?.isPresent === false
  const name = isPresent ? 'addRecipients' : 'removeRecipients'
  const input = { threadID: cast.threads.guests, recipientIDs: [cast.rover.userID] }
  const type = isPresent ? 'recipientsAdded' : 'recipientsRemoved'
  const { startedAt, endedAt } = await recorder.untilAcknowledged(
    (url) => mutate(desk, url, name, input, 'thread { id }'),
    () => [{ type, audience: 'guests', objectID: cast.threads.guests }],
  )
  guests.push({ isPresent, startedAt, endedAt })
}

/** Adds the rover to the group for visitors, or removes it. */
export async function changeMembers(desk: Desk): Promise<void> {
  const { recorder, cast } = desk
  const { visitors } = cast.turns
  const isPresent = visitors.at(-1)?.isPresent === false
  const name = isPresent ? 'addMembers' : 'removeMembers'
  const input = { groupID: cast.groups.visitors, userIDs: [cast.rover.userID] }
  const type = isPresent ? 'membersAdded' : 'membersRemoved'
  const { startedAt, endedAt } = await recorder.untilAcknowledged(
    (url) => mutate(desk, url, name, input, 'group { id }'),
    () => [{ type, audience: 'visitors', objectID: cast.groups.visitors }],
  )
  visitors.push({ isPresent, startedAt, endedAt })
}

/** The witness marks the thread for everyone as read, up to one of its messages. */
export async function markRead(desk: Desk): Promise<void> {
  const { cast, client, postedIDs, marks, random, recorder } = desk
  const messageID = postedIDs[random.below(Math.max(1, postedIDs.length))]
  if (messageID === undefined) return
  const input = { threadID: cast.threads.everyone, upToMessageID: messageID }
  const mark = 'mutation ($input: MarkReadInput!) { markRead(input: $input) { thread { unreadCount } } }'
  const { outcome } = await client.ask(`${recorder.url()}/public/graphql`, cast.witness.token, mark, {
    input,
  })
  marks.push({ messageID, outcome })
}

/** Runs a mutation of the author. */
function mutate<Value>({ cast, client }: Desk, url: string, name: string, input: object, selection: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
  return client.ask<Value>(`${url}/public/graphql`, cast.author.token, query, { input })
}
