import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessOfRover, type Cast, seesAll, seesPublic } from '../deployment/cast.ts'
import type { Member } from '../deployment/setup.ts'
import type { Access, Log, Reader } from '../history.ts'
import type { Desk } from '../writers/desk.ts'
import { type Door, follow, readPage } from './readers.ts'
import { readEventStream, readSocket } from './streams.ts'

const doors: Record<string, Door> = { connection: readPage, WebSocket: readSocket, SSE: readEventStream }
const pollMs = 50
/** After the last fault, every reader has this time to reach the end of the log. */
const catchUpMs = 60_000

export type RunningReaders = {
  readers: Reader[]
  /** Waits until the readers have reached the ends of the logs, but not longer than `catchUpMs`. */
  untilReached: (logs: Log[]) => Promise<void>
  stop: () => Promise<void>
}

/** Starts readers with different rights on each transport. `cursors` has the start cursor of each workspace. */
export function startReaders(desk: Desk, cursors: Map<string, string>): RunningReaders {
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const started = Object.entries(doors).flatMap(([doorName, door]) =>
    rolesIn(desk.cast).map(({ name, member: { token, userID }, ...role }) => {
      const reader: Reader = { name: `${name} by ${doorName}`, userID, ...role, observations: [] }
      const following = follow({
        ...{ reader, door, token, threadID: role.threadID, after: cursors.get(role.workspaceID) ?? '' },
        ...{
          client: desk.client,
          url: desk.recorder.url,
          random: desk.random.fork(),
          signal: stopping.signal,
        },
      })
      return { reader, following }
    }),
  )
  const readers = started.map(({ reader }) => reader)
  return {
    readers,
    untilReached: (logs) => untilReached(readers, logs),
    stop: async () => {
      stopping.abort()
      await Promise.all(started.map(({ following }) => following))
    },
  }
}

type Role = { name: string; member: Member; workspaceID: string; access: Access; threadID?: string }

function rolesIn(cast: Cast): Role[] {
  const { workspaceID, elsewhereID, witness, outsider, rover, stranger, threads } = cast
  return [
    { name: 'the witness', member: witness, workspaceID, access: seesAll },
    { name: 'the outsider', member: outsider, workspaceID, access: seesPublic },
    {
      name: 'the outsider in one thread',
      member: outsider,
      workspaceID,
      access: seesPublic,
      threadID: threads.everyone,
    },
    { name: 'the rover', member: rover, workspaceID, access: accessOfRover(cast) },
    { name: 'the stranger', member: stranger, workspaceID: elsewhereID, access: seesPublic },
  ]
}

async function untilReached(readers: Reader[], logs: Log[]): Promise<void> {
  const ends = new Map(logs.map(({ workspaceID, after, events }) => [workspaceID, after + events.length]))
  const hasReached = ({ workspaceID, observations }: Reader) =>
    (observations.at(-1)?.position ?? 0) >= (ends.get(workspaceID) ?? 0)
  for (let waited = 0; waited < catchUpMs && !readers.every(hasReached); waited += pollMs) await sleep(pollMs)
}
