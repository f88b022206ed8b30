import { eventCursor } from '../../../src/feeds/event-cursor.ts'
import { seesAll, seesPublic } from '../deployment/cast.ts'
import type { Audience, Change, History, Observation, Reader, Receiver, SeenEvent } from '../history.ts'

const workspaceID = 'wks_1'
/** The log begins after this position. */
const before = 10

/** Returns the times of a change: 0 to 5 for the first change, 10 to 15 for the second change, and so on. */
function made(place: number) {
  return { startedAt: 10 * place, endedAt: 10 * place + 5, outcome: 'acknowledged' } as const
}

export function eventAt(place: number, fields: Pick<SeenEvent, 'type' | 'objectID' | 'threadID'>): SeenEvent {
  const cursor = eventCursor({ position: before + place + 1, tag: 1 })
  return { id: `evt_${place}`, cursor, emoji: null, userIDs: null, recipientIDs: null, ...fields }
}

export function observed(event: SeenEvent, place: number): Observation {
  return { at: 10 * place + 7, position: before + place + 1, event }
}

function message(place: number, audience: Audience): { change: Change; event: SeenEvent; text: string } {
  const [objectID, threadID, text] = [`msg_${place}`, `thr_${audience}`, `fresh ${place}`]
  return {
    change: { type: 'messageCreated', audience, objectID, text, ...made(place) },
    event: eventAt(place, { type: 'messageCreated', objectID, threadID }),
    text,
  }
}

/**
 * Returns a history without violations: messages 0 and 1 for everyone, 2 for insiders, 3 for visitors, and 4 again for
 * everyone. The readers are the witness, the outsider, and the rover, who joined before message 3. The witness receives
 * message 0 by webhook several times.
 */
export function smallHistory(): History {
  const audiences: Audience[] = ['everyone', 'everyone', 'insiders', 'visitors', 'everyone']
  const messages = audiences.map((audience, place) => message(place, audience))
  const events = messages.map(({ event }) => event)
  const reader = (name: string, access: Reader['access'], places: number[]): Reader => ({
    ...{ name, workspaceID, userID: `usr_${name}`, access },
    observations: places.flatMap((place) => (events[place] ? [observed(events[place], place)] : [])),
  })
  const receiver = (name: string, access: Receiver['access'], places: number[]): Receiver => ({
    ...{ name, workspaceID, userID: `usr_${name}`, access },
    receipts: places.map((place) => ({ at: 100 + place, eventID: `evt_${place}` })),
  })
  const threadIDs = new Set(events.map(({ threadID }) => threadID ?? ''))
  const threads = [...threadIDs].map((id) => ({
    id,
    workspaceID,
    state: null,
    closedAt: null,
    messages: messages
      .filter(({ event }) => event.threadID === id)
      .map(({ event, text }, index) => ({
        id: event.objectID,
        text,
        state: null,
        position: index + 1,
        deletedAt: null,
      })),
  }))
  const present = { isPresent: true, startedAt: 26, endedAt: 27 }
  const turns = [{ isPresent: false, startedAt: -1, endedAt: -1 }, present]
  return {
    changes: messages.map(({ change }) => change),
    ordered: [],
    logs: [{ workspaceID, after: before, events }],
    readers: [
      reader('witness', seesAll, [0, 1, 2, 3, 4]),
      reader('outsider', seesPublic, [0, 1, 4]),
      reader('rover', { ...seesPublic, visitors: turns }, [0, 1, 3, 4]),
    ],
    receivers: [
      receiver('witness', seesAll, [0, 0, 1, 0, 3, 2, 4]),
      receiver('outsider', seesPublic, [0, 1, 4]),
    ],
    threads,
    searches: [
      {
        reader: 'outsider',
        workspaceID,
        access: seesPublic,
        word: 'fresh',
        foundIDs: ['msg_0', 'msg_1', 'msg_4'],
      },
    ],
    readState: {
      threadID: 'thr_everyone',
      marks: [{ messageID: 'msg_1', outcome: 'acknowledged' }],
      readUpTo: 2,
      unreadCount: 1,
    },
    surprises: [],
  }
}
