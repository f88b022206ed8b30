import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessOfRover, createCast, seesAll, seesPublic } from './deployment/cast.ts'
import { killAtRandom } from './deployment/chaos.ts'
import type { Deployment } from './deployment/deployment.ts'
import { Client } from './deployment/requests.ts'
import type { Change, History, Log, Search } from './history.ts'
import type { Random } from './random.ts'
import { createEndpoints } from './readers/endpoints.ts'
import { FinalState } from './readers/final-state.ts'
import { positionOf } from './readers/positions.ts'
import { startReaders } from './readers/running-readers.ts'
import type { Desk } from './writers/desk.ts'
import { Recorder } from './writers/recorder.ts'
import { post, postElsewhere } from './writers/webhook-writers.ts'
import { write } from './writers/writers.ts'

const pollMs = 100

export type Progress = { changes: readonly Change[]; kills: readonly string[] }

/** What the history that is recorded now waits for. A test that ends too early shows it. */
export let phase = ''

/** Lets clients write and read, and kills targets, until `isEnough` is true. Then reads what the service has stored. */
export async function recordHistory(
  deployment: Deployment,
  random: Random,
  isEnough: (progress: Progress) => boolean,
): Promise<{ history: History; kills: string[] }> {
  const desk = await openDesk(deployment, random)
  const cursors = await latestCursors(desk)
  const running = startReaders(desk, cursors)
  const endpoints = await createEndpoints(desk, deployment.receiver)
  const kills: string[] = []
  const writing = new AbortController()
  setMaxListeners(0, writing.signal)
  const { changes } = desk.recorder
  const count = (isCounted: (change: Change) => boolean) => () =>
    changes.filter((change) => change.outcome === 'acknowledged' && isCounted(change)).length
  const countChanges = count(() => true)
  const countEdits = count(({ type, key }) => type === 'messageUpdated' && key === undefined)
  const { targets } = deployment
  const chaos = { targets, random: random.fork(), countChanges, countEdits, signal: writing.signal }
  const faults = killAtRandom(chaos, kills)
  const written = write(desk, writing.signal)
  phase = 'changes of each kind, and a fault of each target'
  while (!isEnough({ changes, kills })) await sleep(pollMs)
  writing.abort()
  phase = 'the writers, and the processes that were killed last'
  await Promise.all([faults, written])
  phase = 'the last messages, and the logs'
  await writeLast(desk)
  const logs = await readLogs(desk, cursors)
  phase = 'the readers'
  await running.untilReached(logs)
  await running.stop()
  phase = 'the deliveries'
  await endpoints.untilDelivered(logs)
  phase = 'what the service has stored'
  const receivers = await endpoints.receivers()
  return { history: { ...(await storedBy(desk, logs)), readers: running.readers, receivers }, kills }
}

export async function openDesk(deployment: Pick<Deployment, 'url'>, random: Random): Promise<Desk> {
  const [client, own] = [new Client(), random.fork()]
  const url = () => deployment.url(own)
  const cast = await createCast(client, url())
  return { cast, client, recorder: new Recorder(url), random, postedIDs: [], marks: [], ordered: [] }
}

/** Returns the workspaces, each with the token of the member who can hear everything. */
export function witnessesOf({ cast: { workspaceID, elsewhereID, witness, stranger } }: Desk) {
  return [
    { workspaceID, token: witness.token },
    { workspaceID: elsewhereID, token: stranger.token },
  ]
}

export async function latestCursors(desk: Desk): Promise<Map<string, string>> {
  const state = new FinalState(desk.client, desk.recorder.url())
  const cursors = new Map<string, string>()
  for (const { workspaceID, token } of witnessesOf(desk))
    cursors.set(workspaceID, await state.latestCursor(token))
  return cursors
}

/** Posts a last message that everyone in its workspace can hear. A reader that has this message has reached the end. */
async function writeLast(desk: Desk): Promise<void> {
  while ((await post(desk, 'everyone')) === undefined) await sleep(pollMs)
  while ((await postElsewhere(desk)) === undefined) await sleep(pollMs)
}

async function readLogs(desk: Desk, cursors: Map<string, string>): Promise<Log[]> {
  const state = new FinalState(desk.client, desk.recorder.url())
  const logs: Log[] = []
  for (const { workspaceID, token } of witnessesOf(desk)) {
    const start = cursors.get(workspaceID) ?? ''
    logs.push({ workspaceID, after: positionOf(start), events: await state.events(token, start) })
  }
  return logs
}

async function storedBy(desk: Desk, logs: Log[]): Promise<Omit<History, 'readers' | 'receivers'>> {
  const { cast, client, recorder, marks, ordered } = desk
  const state = new FinalState(client, recorder.url())
  const threadID = cast.threads.everyone
  const threads = []
  for (const [index, { token }] of witnessesOf(desk).entries()) {
    const log = logs[index]
    if (log) threads.push(...(await state.threads(token, log)))
  }
  return {
    changes: recorder.changes,
    ordered,
    logs,
    threads,
    searches: await search(desk, state),
    readState: { threadID, marks, ...(await state.readState(cast.witness.token, threadID)) },
    surprises: client.surprises,
  }
}

async function search({ cast }: Desk, state: FinalState): Promise<Search[]> {
  const { workspaceID, elsewhereID, witness, outsider, rover, stranger } = cast
  const roles = [
    { reader: 'the witness', workspaceID, access: seesAll, token: witness.token },
    { reader: 'the outsider', workspaceID, access: seesPublic, token: outsider.token },
    { reader: 'the rover', workspaceID, access: accessOfRover(cast), token: rover.token },
    { reader: 'the stranger', workspaceID: elsewhereID, access: seesPublic, token: stranger.token },
  ]
  const searches: Search[] = []
  for (const { token, ...role } of roles) {
    for (const word of ['fresh', 'revised'])
      searches.push({ ...role, word, foundIDs: await state.search(token, word) })
  }
  return searches
}
