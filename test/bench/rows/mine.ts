import { type Bench, median } from '../bench.ts'
import { get, query, unexpected } from '../calls.ts'
import type { Run } from '../load.ts'
import { withPerson } from '../people.ts'
import { startBaseline, startService } from '../processes.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { seedOffice } from '../seed-office.ts'
import { createStore, type Store } from '../store.ts'
import { makeWorld, type World } from '../worlds.ts'

const groups = [1, 30, 300]
/** How many threads were active since the person marked everything as read. The second number is only recorded. */
const judged = 4000
const activities = [judged, 20_000]
const pageSize = 50
const connections = 4

const inboxQuery = `{
  threads(filter: { mine: true }, order: lastMessage, first: ${pageSize}) { nodes { id subject } }
  viewer { unread { threads directMessages mentions } }
  groups(first: 1) { nodes { hasUnread } }
}`

/** The page of what concerns a person, with all counts, in a workspace of 1,000 people and 110,000 threads. */
export const mine: Stage = {
  rows: activities.flatMap((active) =>
    groups.map(
      (count): Row => ({
        number: '27',
        title: `inbox, three counts and dots of a member of ${named(count)}, ${active.toLocaleString('en')} threads active since`,
        subject: `inbox ${count} ${active}`,
        baselines: [`page ${count}`],
        against: 'a page of all threads and the unread among the latest 1,000; database only',
        ratio: (inbox, page) => databaseMs(inbox) / databaseMs(page),
        ...(active === judged && { atMost: 1.5 }),
        expect: ({ runs }) =>
          `The inbox of a member of ${named(count)} takes PostgreSQL ${Math.round(median(runs.map(databaseMs)))} ms if ${active.toLocaleString('en')} threads were active since the person marked everything as read.`,
      }),
    ),
  ),

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'mine')
    const service = await startService(bench, { databaseURL: store.url })
    const world = await makeWorld(service.url)
    const readers: World[] = []
    for (const count of groups) readers.push(await withPerson(service.url, world, `reader${count}`))
    const threads = bench.effort.quick ? 30_000 : 110_000
    const reading = readers.map(({ appUserID: userID }, place) => ({ userID, groups: groups[place] ?? 1 }))
    await seedOffice(store, world, { threads, groups: 500, reading })
    const baseline = await startBaseline(bench, 'inbox', { DATABASE_URL: store.url })
    const contestants = readers.flatMap((reader, place): [string, Contestant][] => {
      const { workspaceID, appUserID } = reader
      const expected = expectInbox(reading[place]?.groups === 1 ? 1 : pageSize)
      const call = query(reader, inboxQuery, {}, expected)
      const byHand = get(`/workspaces/${workspaceID}/users/${appUserID}/inbox`, expectInbox(pageSize))
      const on = { store, connections }
      return [
        ...activities.map((active): [string, Contestant] => [
          `inbox ${groups[place]} ${active}`,
          httpContestant(bench, {
            ...{ ...on, servers: [service], nextCall: () => call },
            before: () => setFloor(store, reader, active),
          }),
        ]),
        [
          `page ${groups[place]}`,
          httpContestant(bench, { ...on, servers: [baseline], nextCall: () => byHand }),
        ],
      ]
    })
    return Object.fromEntries(contestants)
  },
}

function named(count: number): string {
  return count === 1 ? 'one group' : `${count} groups`
}

function databaseMs({ cost, requests }: Run): number {
  return ((cost?.databaseSeconds ?? Number.NaN) / requests) * 1000
}

/** Sets when the person marked everything as read, so that this many threads were active since. */
async function setFloor({ client }: Store, { workspaceID, appUserID }: World, active: number): Promise<void> {
  await client.query(
    `INSERT INTO read_floors (workspace_id, user_id, read_floor)
     SELECT $1, $2, last_activity_at FROM threads WHERE workspace_id = $1
     ORDER BY last_activity_at DESC OFFSET $3 LIMIT 1
     ON CONFLICT (workspace_id, user_id, group_id) DO UPDATE SET read_floor = excluded.read_floor`,
    [workspaceID, appUserID, active],
  )
}

type Inbox = { threads: { nodes: object[] }; viewer: { unread: { threads: number } } }

function expectInbox(atLeast: number): (data: unknown) => void {
  return (data) => {
    const { threads, viewer } = data as Inbox
    if (threads.nodes.length < atLeast || !(viewer.unread.threads > 0)) throw unexpected(data)
  }
}
