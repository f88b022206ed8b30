import type { Answer } from '../deployment/requests.ts'
import { type Desk, type Known, mutate, nextNumber, note, type Said, settled, textWith } from './desk.ts'
import type { Person, Place } from './office.ts'

/** A person writes a message that mentions these users and groups. */
export async function say(
  desk: Desk,
  person: Person,
  { id }: Place,
  mentions: readonly string[],
): Promise<void> {
  note(desk, mentions.length > 0 ? 'mention' : 'say', person.name, id, ...mentions)
  await sendText(desk, { author: person.userID, isProgram: false, mentions }, (text) =>
    mutate(desk, person, 'sendMessage', { threadID: id, message: { text } }, 'message { id }'),
  )
}

/** The webhook writes a message. It cannot see DMs: there, Ada writes instead. */
export async function post(desk: Desk, place: Place, mentions: readonly string[], more = {}): Promise<void> {
  const { office, client, deployment, random } = desk
  if (place.kind === 'dm') return say(desk, office.ada, place, mentions)
  note(desk, 'post', place.id, ...mentions, JSON.stringify(more))
  const url = `${deployment.url(random)}${office.webhook.path}`
  await sendText(desk, { author: office.webhook.userID, isProgram: true, mentions }, async (text) =>
    settled(desk, await client.post(url, { target: place.id, text, ...more })),
  )
}

/** Each thread has one message of the webhook that is updated. The first call writes it. */
export function updateByKey(desk: Desk, place: Place): Promise<void> {
  const mentions = [
    [],
    [desk.random.pick(desk.office.readers).userID],
    [desk.random.pick(desk.office.groups)],
  ]
  const calls = [{}, { notify: 'always' }, { state: 'failed' }, { state: 'ok' }]
  const more = calls[desk.random.below(calls.length)] ?? {}
  return post(desk, place, mentions[desk.random.below(mentions.length)] ?? [], { uniqueBy: 'key', ...more })
}

export async function edit(desk: Desk, { id }: Place, { id: messageID }: Known, more = {}): Promise<void> {
  const { random, office } = desk
  const mentions =
    [[], [random.pick(office.readers).userID], [random.pick(office.groups)]][random.below(3)] ?? []
  note(desk, 'edit', id, messageID, ...mentions, JSON.stringify(more))
  await sendText(desk, { author: office.ada.userID, isProgram: false, mentions }, (text) =>
    mutate(desk, office.ada, 'editMessage', { messageID, text, ...more }, 'message { id }'),
  )
}

export function call(desk: Desk, place: Place, message: Known): Promise<void> {
  return edit(desk, place, message, { notify: 'always' })
}

export async function remove(desk: Desk, { id }: Place, { id: messageID }: Known): Promise<void> {
  note(desk, 'delete', id, messageID)
  await mutate(desk, desk.office.ada, 'deleteMessage', { messageID }, 'message { id }')
}

export async function close(desk: Desk, { id: threadID }: Place): Promise<void> {
  const closed = desk.random.below(2) === 0
  note(desk, 'close', threadID, closed)
  await mutate(desk, desk.office.ada, 'updateThread', { threadID, closed }, 'thread { id }')
}

/** Starts a thread with one or two groups, and sometimes a person. */
export async function start(desk: Desk): Promise<void> {
  const { random, office } = desk
  const [group, other] = [random.pick(office.groups), random.pick(office.groups)]
  const groups = [...new Set(random.below(2) === 0 ? [group] : [group, other])]
  const named = random.below(3) === 0 ? [random.pick(office.readers).userID] : []
  const author = random.below(3) === 0 ? random.pick(office.readers) : office.ada
  const subject = `Subject ${nextNumber()}`
  desk.started.set(subject, { kind: 'thread', groups, named, people: office.everyone })
  note(desk, 'start', author.name, subject, ...groups, ...named)
  await sendText(desk, { author: author.userID, isProgram: false, mentions: [] }, (text) => {
    const thread = { recipients: [...groups, ...named], subject }
    return mutate(desk, author, 'sendMessage', { thread, message: { text } }, 'message { id }')
  })
}

async function sendText(desk: Desk, said: Said, send: (text: string) => Promise<Answer<unknown>>) {
  const text = textWith(said.mentions)
  desk.texts.set(text, said)
  said.outcome = (await send(text)).outcome
  said.endedAt = performance.now()
}
