import { setTimeout as sleep } from 'node:timers/promises'
import { type Desk, forked, read } from './desk.ts'
import type { Action, Ledger } from './ledger.ts'
import { actionsOf, type Courses, inOrder, type News } from './news.ts'
import type { Place } from './office.ts'
import { change, join, leave } from './settings.ts'
import { chatter, listed } from './talk.ts'

const longestPauseMs = 60
const racing = 3
/** Messages get their time before they are visible. Others look meanwhile. */
const longestHoldMs = 2000

/** How each course of a person continues, given the news of the same time. */
type Told = (news: readonly News[]) => Action[][]

/**
 * While messages are written, each reader joins or leaves a group, or marks as read. Nobody begins to follow a thread,
 * because it would not be known whether that was before.
 */
export async function race(desk: Desk): Promise<Courses> {
  const { random, office, deployment } = desk
  const all = listed([...office.places.values()])
  const places = [...new Set(Array.from({ length: racing }, () => random.pick(all)))]
  const told = new Map<Ledger, Told>()
  const release = random.below(2) === 0 ? await deployment.holdCommits(office.ada.userID) : undefined
  const written = [...places, ...places].map((place) => chatter(forked(desk), place))
  const changed = desk.ledgers.map(async (ledger) => {
    const own = forked(desk)
    await sleep(own.random.below(longestPauseMs))
    if (ledger.person !== office.ada) told.set(ledger, await step(own, ledger))
  })
  await Promise.race([Promise.all(changed), sleep(longestHoldMs)])
  await release?.()
  await Promise.all([...written, ...changed])
  return (ledger, news) => told.get(ledger)?.(news) ?? inOrder(ledger, news)
}

function step(desk: Desk, ledger: Ledger): Promise<Told> {
  if (desk.random.below(3) === 0) return moveAmid(desk, ledger)
  return markAmid(desk, ledger)
}

// The time of the membership decides which messages count as read.
async function moveAmid(desk: Desk, ledger: Ledger): Promise<Told> {
  const groupID = desk.office.groups[1 + desk.random.below(2)] ?? ''
  const isMember = ledger.groups.has(groupID)
  const at = isMember ? await leave(desk, ledger, groupID) : await join(desk, ledger, groupID)
  const move: Action = (reference) =>
    at === undefined ? reference.leave(groupID) : reference.join(groupID, at)
  return (news) => [[...news.flatMap((one) => actionsOf(ledger, one)), move]]
}

type Mark = { name: string; input: object; marks: (place: Place) => boolean; action: Action }

/** The mark reads a thread up to a message that was posted before it ended, and at least what was posted before it began. */
async function markAmid(desk: Desk, ledger: Ledger): Promise<Told> {
  const mark = desk.random.pick(marksOf(desk, ledger))
  const { startedAt } = await change(desk, ledger.person, mark.name, mark.input)
  const last = await lastPositions(desk, ledger)
  return (news) => {
    const isMarked = ({ place }: News) => last.has(place.id) && mark.marks(place)
    const actions = news.map((one) => ({ ...one, actions: actionsOf(ledger, one) }))
    return splitsOf(news.filter(isMarked), startedAt, last).map((split) => {
      const isBefore = ({ place, message }: News) =>
        message.position <= (split.get(place.id) ?? Number.POSITIVE_INFINITY)
      const before = actions.filter(isBefore)
      const after = actions.filter((one) => !isBefore(one))
      return [...before.flatMap((one) => one.actions), mark.action, ...after.flatMap((one) => one.actions)]
    })
  }
}

function marksOf({ random, office }: Desk, { person, groups }: Ledger): readonly [Mark, ...Mark[]] {
  const own = listed([...office.places.values()].filter(({ people }) => people.includes(person)))
  const [{ id: threadID }, groupID] = [random.pick(own), random.pick(listed([...groups]))]
  return [
    {
      ...{ name: 'markAllRead', input: {}, marks: () => true },
      action: (reference) => reference.markAllRead(undefined),
    },
    {
      ...{ name: 'markAllRead', input: { groupID }, marks: (place) => place.groups.includes(groupID) },
      action: (reference) => reference.markAllRead(groupID),
    },
    {
      ...{ name: 'markRead', input: { threadID }, marks: (place) => place.id === threadID },
      action: (reference) => reference.markRead(threadID, reference.messagesOf(threadID).length),
    },
  ]
}

/** Returns the last position of each thread that the person can see. */
async function lastPositions(desk: Desk, { person }: Ledger): Promise<Map<string, number>> {
  type Read = { threads: { nodes: { id: string; messageCount: number }[] } }
  const query = '{ threads(first: 100) { nodes { id messageCount } } }'
  const { threads } = await read<Read>(desk, person, query)
  return new Map(threads.nodes.map(({ id, messageCount }) => [id, messageCount]))
}

/** Returns the possible last positions before a mark, for the threads in which messages were written meanwhile. */
function splitsOf(news: News[], startedAt: number, last: Map<string, number>): Map<string, number>[] {
  const places = [...new Set(news.map(({ place }) => place))]
  const possible = (place: Place) => {
    const own = news.filter((one) => one.place === place)
    const [first] = own
    const isBefore = ({ said }: News) => said.outcome === 'acknowledged' && (said.endedAt ?? 0) < startedAt
    const low = own.findLast(isBefore)?.message.position ?? (first?.message.position ?? 1) - 1
    const high = Math.max(low, last.get(place.id) ?? 0)
    return Array.from({ length: high - low + 1 }, (_, more) => low + more)
  }
  return places.reduce<Map<string, number>[]>(
    (splits, place) =>
      splits.flatMap((split) => possible(place).map((position) => new Map([...split, [place.id, position]]))),
    [new Map()],
  )
}
