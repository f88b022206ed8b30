import { setTimeout as sleep } from 'node:timers/promises'
import { type Desk, forked } from './desk.ts'
import { call, close, edit, post, remove, say, start, updateByKey } from './messages.ts'
import { type Courses, inOrder } from './news.ts'
import type { Place } from './office.ts'

const longestPauseMs = 40
const maxPlaces = 30
/** The messages that are changed are among the latest. */
const changeable = 20

/**
 * People and a webhook write at the same time. In a thread in which a message is changed, nothing else happens, because
 * the order of both would not be known.
 */
export async function talk(desk: Desk): Promise<Courses> {
  const { random, office } = desk
  const places = [...office.places.values()]
  const quiet = places.filter(() => random.below(3) === 0)
  const loud = places.filter((place) => !quiet.includes(place))
  const spoken = loud.length > 0 ? Array.from({ length: 6 }, () => random.pick(listed(loud))) : []
  const isNew = places.length < maxPlaces && random.below(2) === 0
  const steps = [
    ...quiet.slice(0, 4).map((place) => (own: Desk) => change(own, place)),
    ...spoken.map((place) => (own: Desk) => speak(own, place)),
    ...(isNew ? [start] : []),
  ]
  await Promise.all(
    steps.map(async (step) => {
      const own = forked(desk)
      await sleep(own.random.below(longestPauseMs))
      await step(own)
    }),
  )
  return inOrder
}

/** Ada or the webhook writes a few messages without mentions of people, one after the other. */
export async function chatter(desk: Desk, place: Place): Promise<void> {
  for (let left = 4; left > 0; left -= 1) {
    const mentions = desk.random.below(2) === 0 ? [desk.random.pick(desk.office.groups)] : []
    await (desk.random.below(2) === 0
      ? say(desk, desk.office.ada, place, mentions)
      : post(desk, place, mentions))
    await sleep(desk.random.below(longestPauseMs / 4))
  }
}

function speak(desk: Desk, place: Place): Promise<void> {
  const { random, office } = desk
  const author = random.below(4) === 0 ? random.pick(office.readers) : office.ada
  const mentions = [[], [], [random.pick(office.readers).userID], [random.pick(office.groups)]]
  const own = place.people.includes(author) ? author : office.ada
  const chosen = mentions[random.below(mentions.length)] ?? []
  return random.below(4) === 0 ? post(desk, place, chosen) : say(desk, own, place, chosen)
}

function change(desk: Desk, place: Place): Promise<void> {
  const { random, office } = desk
  const own = (desk.known.get(place.id) ?? [])
    .slice(-changeable)
    .filter(({ author, isGone }) => author === office.ada.userID && !isGone)
  const message = own[random.below(own.length || 1)]
  if (!message || random.below(4) === 0) return updateByKey(desk, place)
  const kinds = [edit, edit, call, remove, ...(place.kind === 'thread' ? [close] : [])]
  return (kinds[random.below(kinds.length)] ?? edit)(desk, place, message)
}

export function listed<T>(values: readonly T[]): readonly [T, ...T[]] {
  const [first, ...others] = values
  if (first === undefined) throw new Error('The list is empty')
  return [first, ...others]
}
