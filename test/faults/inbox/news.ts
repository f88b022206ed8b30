import { setTimeout as sleep } from 'node:timers/promises'
import type { Reference } from '../../messages/mine/reference.ts'
import { settleMs } from '../writers/recorder.ts'
import { type Desk, type Known, read, type Said } from './desk.ts'
import type { Action, Ledger } from './ledger.ts'
import type { Place } from './office.ts'

/** A message that was posted, changed or deleted. `at` is in milliseconds, by the clock of the database. */
export type News = {
  kind: 'post' | 'edit' | 'gone'
  at: number
  place: Place
  message: Known
  said: Said
  isEvent: boolean
  calls: boolean
}

type Stored = {
  id: string
  text: string
  position: number
  user: { id: string }
  createdAt: string
  editedAt: string | null
  calledAt: string | null
  deletedAt: string | null
  event: object | null
}
type StoredThreads = { threads: { nodes: { id: string; subject: string | null }[] } }

/** A step writes fewer messages in one thread. */
const latest = 50
const messageFields =
  'id text position user { id } createdAt editedAt calledAt deletedAt event { __typename }'

/** Reads what has happened since the last time, in the order of time. What had no answer may have happened. */
export async function readNews(desk: Desk): Promise<News[]> {
  if (desk.lost.splice(0).length > 0) await sleep(settleMs)
  await findStarted(desk)
  const places = [...desk.office.places.values()]
  const stored = await Promise.all(places.map(({ id }) => readMessages(desk, id)))
  const news = places.flatMap((place, index) =>
    (stored[index] ?? []).flatMap((one) => newsOf(desk, place, one)),
  )
  for (const { kind, place, message } of news) if (kind === 'post') knownIn(desk, place).push(message)
  return news.sort((one, other) => one.at - other.at || one.message.position - other.message.position)
}

async function findStarted(desk: Desk): Promise<void> {
  const { started, office } = desk
  if (started.size === 0) return
  const query = '{ threads(first: 100) { nodes { id subject } } }'
  const { threads } = await read<StoredThreads>(desk, office.ada, query)
  for (const { id, subject } of threads.nodes) {
    const place = started.get(subject ?? '')
    if (place) office.places.set(id, { id, ...place })
  }
  started.clear()
}

async function readMessages(desk: Desk, threadID: string): Promise<Stored[]> {
  const query = `{ thread(id: "${threadID}") { messages(last: ${latest}) { nodes { ${messageFields} } } } }`
  type Read = { thread: { messages: { nodes: Stored[] } } }
  return (await read<Read>(desk, desk.office.ada, query)).thread.messages.nodes
}

function knownIn({ known }: Desk, { id }: Place): Known[] {
  const messages = known.get(id) ?? []
  known.set(id, messages)
  return messages
}

function newsOf(desk: Desk, place: Place, stored: Stored): News[] {
  const { id, position, text, createdAt, editedAt, calledAt, deletedAt, event, user } = stored
  const before = knownIn(desk, place)[position - 1]
  const isGone = event !== null || deletedAt !== null
  const now: Known = { id, position, author: user.id, text, isGone, calledAt: timeOf(calledAt) }
  const said = desk.texts.get(text) ?? { author: user.id, isProgram: false, mentions: [] }
  const news = { place, said, isEvent: event !== null, calls: false }
  if (!before) return [{ ...news, kind: 'post', at: timeOf(createdAt), message: now }]
  if (before.isGone || (before.text === text && !isGone)) return []
  const calls = now.calledAt > before.calledAt
  Object.assign(before, { ...now, calledAt: Math.max(now.calledAt, before.calledAt) })
  if (isGone) return [{ ...news, kind: 'gone', at: timeOf(deletedAt), message: before }]
  const at = timeOf(calls ? calledAt : editedAt)
  return [{ ...news, kind: 'edit', at, message: before, calls }]
}

function timeOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time)
}

/** Returns how each possible course of a person continues with the news of a step. */
export type Courses = (ledger: Ledger, news: readonly News[]) => Action[][]

export const inOrder: Courses = (ledger, news) => [news.flatMap((one) => actionsOf(ledger, one))]

/** Returns what a person's reference makes of the news, or nothing if the person cannot see the thread. */
export function actionsOf(
  ledger: Ledger,
  { kind, at, place, message, said, isEvent, calls }: News,
): Action[] {
  if (!place.people.includes(ledger.person)) return []
  const { id, author, position } = message
  const { mentions, isProgram } = said
  const action: Record<News['kind'], Action> = {
    post: (reference) => reference.post(place.id, { id, author, isProgram, mentions, isGone: isEvent, at }),
    edit: (reference) =>
      reference.edit(place.id, messageAt(reference, place, position), { mentions, calls, at }),
    gone: (reference) => {
      messageAt(reference, place, position).isGone = true
    },
  }
  return [...ledger.beginning(place), action[kind]]
}

function messageAt(reference: Reference, { id }: Place, position: number) {
  const message = reference.messagesOf(id)[position - 1]
  if (!message) throw new Error(`There is no message ${position} in ${id}`)
  return message
}
