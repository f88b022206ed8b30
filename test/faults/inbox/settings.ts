import { type Desk, forked, mutate, note, until } from './desk.ts'
import type { Action, Ledger } from './ledger.ts'
import { type Courses, inOrder } from './news.ts'
import type { Place } from './office.ts'
import { listed } from './talk.ts'

type Change = (desk: Desk, ledger: Ledger) => Promise<void>

/** Each person changes what concerns them, while nobody writes. */
export async function settings(desk: Desk): Promise<Courses> {
  await Promise.all(
    desk.ledgers.map(async (ledger) => {
      const own = forked(desk)
      for (let left = 3; left > 0; left -= 1) await own.random.pick(changes)(own, ledger)
    }),
  )
  return inOrder
}

/** Resolves to when the person joined the group, by the clock of the database. */
export async function join(desk: Desk, { person, groups }: Ledger, groupID: string): Promise<number> {
  note(desk, 'joinGroup', person.name, groupID)
  const selection = 'memberEdge { joinedAt }'
  type Joined = { memberEdge: { joinedAt: string } }
  const { value } = await until(() => mutate<Joined>(desk, person, 'joinGroup', { groupID }, selection))
  groups.add(groupID)
  return Date.parse(value.memberEdge.joinedAt)
}

export async function leave(desk: Desk, { person, groups }: Ledger, groupID: string): Promise<void> {
  await change(desk, person, 'leaveGroup', { groupID })
  groups.delete(groupID)
}

/** Makes a change until it is acknowledged. */
export function change(desk: Desk, person: Ledger['person'], name: string, input: object) {
  note(desk, name, person.name, JSON.stringify(input))
  return until(() => mutate(desk, person, name, input, '__typename'))
}

const joinOrLeave: Change = async (desk, ledger) => {
  const { office, random } = desk
  const groupID = office.groups[1 + random.below(2)] ?? ''
  if (ledger.person === office.ada) return
  const isMember = ledger.groups.has(groupID)
  if (isMember) await leave(desk, ledger, groupID)
  const at = isMember ? 0 : await join(desk, ledger, groupID)
  ledger.add((reference) => (isMember ? reference.leave(groupID) : reference.join(groupID, at)))
}

const muteGroup: Change = async (desk, ledger) => {
  const groupID = desk.random.pick(listed([...ledger.groups]))
  const isMuted = desk.random.below(2) === 0
  await change(desk, ledger.person, isMuted ? 'muteGroup' : 'unmuteGroup', { groupID })
  ledger.add((reference) => reference.muteGroup(groupID, isMuted))
}

const follow: Change = async (desk, ledger) => {
  const { id: threadID, kind } = placeOf(desk, ledger)
  if (kind !== 'thread') return
  const follows = desk.random.below(2) === 0
  await change(desk, ledger.person, follows ? 'followThread' : 'unfollowThread', { threadID })
  ledger.add((reference) => (follows ? reference.follow(threadID) : reference.unfollow(threadID)))
}

const muteThread: Change = async (desk, ledger) => {
  const { id: threadID } = placeOf(desk, ledger)
  const isMuted = desk.random.below(2) === 0
  await change(desk, ledger.person, isMuted ? 'muteThread' : 'unmuteThread', { threadID })
  ledger.add((reference) => reference.mute(threadID, isMuted))
}

const markRead: Change = (desk, ledger) => markAt(desk, ledger, 'markRead', 'upToMessageID')
const markUnread: Change = (desk, ledger) => markAt(desk, ledger, 'markUnread', 'fromMessageID')

async function markAt(desk: Desk, ledger: Ledger, name: 'markRead' | 'markUnread', field: string) {
  const { id: threadID } = placeOf(desk, ledger)
  const messages = (desk.known.get(threadID) ?? []).filter(({ isGone }) => !isGone)
  const message = messages[desk.random.below(messages.length || 1)]
  if (!message) return
  await change(desk, ledger.person, name, { threadID, [field]: message.id })
  ledger.add((reference) => reference[name](threadID, message.position))
}

/** Marks everything or a group as read, and may take it back. Then it counts whether a lost attempt marked too. */
const markAll: Change = async (desk, ledger) => {
  const { random } = desk
  const groupID = random.below(2) === 0 ? random.pick(listed([...ledger.groups])) : undefined
  const mark: Action = (reference) => reference.markAllRead(groupID)
  const { attempts } = await change(desk, ledger.person, 'markAllRead', { groupID })
  if (random.below(2) === 0) return ledger.add(mark)
  await change(desk, ledger.person, 'undoMarkAllRead', { groupID })
  const undo: Action = (reference) => reference.undo()
  ledger.choose(
    attempts > 1
      ? [
          [mark, undo],
          [mark, mark, undo],
        ]
      : [[mark, undo]],
  )
}

const changes = [
  ...([joinOrLeave, joinOrLeave, muteGroup, follow, follow, muteThread] as const),
  ...([markRead, markRead, markUnread, markUnread, markAll, markAll] as const),
] as const

function placeOf({ office, random }: Desk, { person }: Ledger): Place {
  return random.pick(listed([...office.places.values()].filter(({ people }) => people.includes(person))))
}
