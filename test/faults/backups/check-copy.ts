import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '../../support/process.ts'
import { matchEvents } from '../checker/match-events.ts'
import { settings } from '../deployment/service-process.ts'
import type { Change, Log, SeenEvent } from '../history.ts'
import { FinalState } from '../readers/final-state.ts'
import { positionOf } from '../readers/positions.ts'
import { witnessesOf } from '../record-history.ts'
import type { Desk } from '../writers/desk.ts'
import { Recorder } from '../writers/recorder.ts'
import { post, postElsewhere } from '../writers/webhook-writers.ts'

const pollMs = 100

/** Starts the service on a restored copy. Returns the changes that were acknowledged before a time, and are missing. */
export async function lostIn(
  dataDir: string,
  desk: Desk,
  { cursors, acknowledgedBefore }: { cursors: Map<string, string>; acknowledgedBefore: number },
): Promise<{ kept: number; lost: string[] }> {
  const copy = await startProcess({ ...settings, DATA_DIR: dataDir })
  try {
    const changes = desk.recorder.changes.map((change) => asKnownAt(acknowledgedBefore, change))
    const onCopy = { ...desk, recorder: new Recorder(() => copy.url) }
    const lastIDs = [await post(onCopy, 'everyone'), await postElsewhere(onCopy)]
    const logs: Log[] = []
    for (const { workspaceID, token } of witnessesOf(desk)) {
      const after = cursors.get(workspaceID) ?? ''
      const events = await eventsOf(new FinalState(desk.client, copy.url), { token, after, lastIDs })
      logs.push({ workspaceID, after: positionOf(after), events })
    }
    const { violations } = matchEvents(changes, logs)
    const kept = changes.filter(({ outcome }) => outcome === 'acknowledged').length
    return { kept, lost: violations.filter((violation) => violation.startsWith('lost')) }
  } finally {
    await copy.stop()
  }
}

/** At this time, nobody knew whether a change that was acknowledged later had been made. */
function asKnownAt(time: number, change: Change): Change {
  return change.endedAt <= time
    ? change
    : { ...change, outcome: 'unknown', endedAt: Number.POSITIVE_INFINITY }
}

type Reading = { token: string; after: string; lastIDs: (string | undefined)[] }

/** Reads the log up to a message that is posted now, because the service moves events into the log after a write. */
async function eventsOf(state: FinalState, { token, after, lastIDs }: Reading): Promise<SeenEvent[]> {
  for (;;) {
    const events = await state.events(token, after)
    if (events.some(({ objectID }) => lastIDs.includes(objectID))) return events
    await sleep(pollMs)
  }
}
