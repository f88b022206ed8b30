import type { Audience, Change, Interval, Log, SeenEvent } from '../history.ts'

/** `made` is the interval in which the change was made, as exactly as the history shows it. */
export type Match = { made: Interval; audience: Audience }

export type Matches = Map<SeenEvent, Match>

type Group = { name: string; changes: Change[]; events: SeenEvent[] }

/** Finds the changes that the events report. Every change that was acknowledged must have one event. */
export function matchEvents(changes: Change[], logs: Log[]): { matches: Matches; violations: string[] } {
  const groups = groupsOf(changes, logs)
  const matches = new Map(groups.flatMap(matchesOf))
  const violations = [
    ...groups.flatMap(miscounted),
    ...logs.flatMap(({ events }) => wronglyCreated(events)),
    ...logs.flatMap((log) => outOfTime(log, matches)),
  ]
  return { matches, violations }
}

/** Groups changes and events that look the same, such as two edits of a message. */
function groupsOf(changes: Change[], logs: Log[]): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = (name: string): Group => {
    const group = groups.get(name) ?? { name, changes: [], events: [] }
    groups.set(name, group)
    return group
  }
  for (const change of changes) {
    const { objectID } = change
    if (objectID !== undefined) groupOf(nameOf({ ...change, objectID })).changes.push(change)
  }
  for (const event of logs.flatMap(({ events }) => events)) groupOf(nameOf(event)).events.push(event)
  return [...groups.values()]
}

type Named = Pick<SeenEvent, 'type' | 'objectID'> & { threadID?: string | null; emoji?: string | null }

// Only the answer to a call with uniqueBy says whether the call created the message or updated it.
function nameOf({ type, objectID, threadID, emoji }: Named): string {
  const kind = type === 'messageCreated' || type === 'messageUpdated' ? 'messageWritten' : type
  const subject = type.startsWith('recipients') ? (threadID ?? objectID) : objectID
  return [kind, subject, ...(emoji ? [emoji] : [])].join(' ')
}

function miscounted({ name, changes, events }: Group): string[] {
  const acknowledged = changes.filter(({ outcome }) => outcome === 'acknowledged')
  const least = leastEvents(name, acknowledged)
  if (events.length >= least && events.length <= changes.length) return []
  const problem = events.length < least ? 'lost' : changes.length === 0 ? 'unexplained' : 'doubled'
  const requested = `${changes.length} changes, ${acknowledged.length} of them acknowledged`
  return [`${problem}: ${name} has ${events.length} events for ${requested}`]
}

function leastEvents(name: string, acknowledged: Change[]): number {
  if (acknowledged.some(({ isOrdered }) => isOrdered)) return name.startsWith('messageWritten') ? 1 : 0
  return acknowledged.some(({ key }) => key) ? longestSequence(acknowledged) : acknowledged.length
}

/** Calls with one key at the same time can be written together. Then the service stores only one of their texts. */
function longestSequence(changes: Change[]): number {
  const byEnd = changes.toSorted((one, other) => one.endedAt - other.endedAt)
  let [count, last] = [0, Number.NEGATIVE_INFINITY]
  for (const { startedAt, endedAt } of byEnd) {
    if (startedAt <= last) continue
    count += 1
    last = endedAt
  }
  return count
}

/** In a group, the n-th event is not before the n-th start, and the n-th last event is not after the n-th last end. */
function matchesOf({ changes, events }: Group): [SeenEvent, Match][] {
  const [change] = changes
  if (!change) return []
  const starts = changes.map(({ startedAt }) => startedAt).sort((one, other) => one - other)
  const ends = changes.map(({ endedAt }) => endedAt).sort((one, other) => one - other)
  const madeOf = (place: number): Interval => ({
    startedAt: starts[place] ?? 0,
    endedAt: ends[changes.length - events.length + place] ?? Number.POSITIVE_INFINITY,
  })
  return events.map((event, place) => [event, { made: madeOf(place), audience: change.audience }])
}

function wronglyCreated(events: SeenEvent[]): string[] {
  const created = new Set<string>()
  return events.flatMap(({ type, objectID }) => {
    const isKnown = created.has(objectID)
    if (type === 'messageCreated') created.add(objectID)
    if (type === 'messageCreated' && isKnown) return [`doubled: ${objectID} was created twice`]
    if (type !== 'messageUpdated' || isKnown) return []
    return [`reordered: ${objectID} was updated before it was created`]
  })
}

/** Finds events in the wrong order: a change that was acknowledged before another was requested must come first. */
function outOfTime({ events }: Log, matches: Matches): string[] {
  let latest: { startedAt: number; event: SeenEvent } | undefined
  return events.flatMap((event) => {
    const made = matches.get(event)?.made
    const before = latest
    if (made && made.startedAt > (latest?.startedAt ?? 0)) latest = { startedAt: made.startedAt, event }
    if (!made || !before || made.endedAt >= before.startedAt) return []
    const [first, second] = [before.event, event].map(({ type, objectID }) => `${type} ${objectID}`)
    return [`reordered: ${second} was acknowledged before ${first} was requested, and comes after it`]
  })
}
