import type { History, Log } from '../history.ts'
import { positionOf } from '../readers/positions.ts'
import { checkReader } from './check-readers.ts'
import { checkReceiver } from './check-receivers.ts'
import { checkReadState, checkSearch } from './check-state.ts'
import { checkPositions, checkTexts } from './check-threads.ts'
import { checkVersions } from './check-versions.ts'
import { checkObjects, withObjects } from './find-objects.ts'
import { matchEvents } from './match-events.ts'

/** Returns what is wrong with a history. Each sentence begins with the kind of the problem. */
export function violationsIn(history: History): string[] {
  const { logs, threads, searches, readState, surprises } = history
  const changes = withObjects(history)
  const { matches, violations } = matchEvents(changes, logs)
  return [
    ...surprises.map((surprise) => `surprise: ${surprise}`),
    ...logs.flatMap(gaps),
    ...checkObjects(changes, threads),
    ...violations,
    ...checkPositions(logs, threads),
    ...checkTexts(changes, threads),
    ...checkVersions(history),
    ...logs.flatMap((log) =>
      history.readers
        .filter(({ workspaceID }) => workspaceID === log.workspaceID)
        .flatMap((reader) => checkReader(reader, log, matches)),
    ),
    ...logs.flatMap((log) =>
      history.receivers
        .filter(({ workspaceID }) => workspaceID === log.workspaceID)
        .flatMap((receiver) => checkReceiver(receiver, log, matches)),
    ),
    ...searches.flatMap((search) => checkSearch(search, threads, matches)),
    ...checkReadState(readState, threads),
  ]
}

function gaps({ after, events }: Log): string[] {
  const gap = events.findIndex(({ cursor }, index) => positionOf(cursor) !== after + index + 1)
  return gap === -1 ? [] : [`gap: the log has no position ${after + gap + 1}`]
}
