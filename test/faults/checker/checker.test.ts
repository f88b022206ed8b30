import { describe, expect, test } from 'vitest'
import type {
  Change,
  History,
  OrderedCall,
  Reader,
  SeenEvent,
  StoredMessage,
  StoredThread,
} from '../history.ts'
import { violationsIn } from './checker.ts'
import { eventAt, observed, smallHistory } from './small-history.ts'

/** Changes the small history with the function, and returns its violations. */
function doctored(doctor: (history: Parts) => void): string[] {
  const history = smallHistory()
  const [log] = history.logs
  const [witness, outsider, rover] = history.readers
  if (!log || !witness || !outsider || !rover) throw new Error('The history is not complete')
  const messages = history.threads.flatMap((thread) => thread.messages)
  const message = (id: string) => messages.find((one) => one.id === id) as StoredMessage
  doctor({ history, log, witness, outsider, rover, message })
  return violationsIn(history)
}

type Parts = {
  history: History
  log: History['logs'][number]
  witness: Reader
  outsider: Reader
  rover: Reader
  message: (id: string) => StoredMessage
}

const swap = <T>(list: T[], one: number) => list.splice(one, 2, ...list.slice(one, one + 2).reverse())
const changeOf = ({ changes }: History, place: number) => changes[place] as Change
const eventIn = ({ events }: Parts['log'], place: number) => events[place] as SeenEvent
const unknown = { outcome: 'unknown', endedAt: Number.POSITIVE_INFINITY, objectID: undefined } as const

test('a history without faults has no violations', () => {
  expect(doctored(() => undefined)).toEqual([])
})

describe('an event', () => {
  test('is lost if a reader has not seen it', () => {
    expect(doctored(({ outsider }) => void outsider.observations.splice(1, 1))).toEqual([
      'lost: messageCreated msg_1 at position 12 for everyone (outsider)',
    ])
  })

  test('is lost if a reader has not reached the end', () => {
    expect(doctored(({ outsider }) => void outsider.observations.pop())).toEqual([
      'lost: messageCreated msg_4 at position 15 for everyone (outsider)',
    ])
  })

  test('is lost if it is not in the log', () => {
    const violations = doctored(({ log, witness }) => {
      log.events.splice(2, 1)
      witness.observations.splice(2, 1)
    })
    expect(violations).toContain(
      'lost: messageWritten msg_2 has 0 events for 1 changes, 1 of them acknowledged',
    )
    expect(violations).toContain('gap: the log has no position 13')
  })

  test('is doubled if a reader sees it twice', () => {
    const violations = doctored(
      ({ witness }) => void witness.observations.splice(1, 0, ...witness.observations.slice(1, 2)),
    )
    expect(violations).toEqual(['doubled: messageCreated msg_1 at position 12 (witness)'])
  })

  test('is doubled if the log has it twice', () => {
    const violations = doctored(({ log }) => {
      log.events.push(eventAt(5, { type: 'messageCreated', objectID: 'msg_4', threadID: 'thr_everyone' }))
    })
    expect(violations).toContain(
      'doubled: messageWritten msg_4 has 2 events for 1 changes, 1 of them acknowledged',
    )
    expect(violations).toContain('doubled: msg_4 was created twice')
  })

  test('is reordered if a reader sees it after a later event', () => {
    expect(doctored(({ witness }) => void swap(witness.observations, 1))).toEqual([
      'reordered: messageCreated msg_1 at position 12 (witness)',
    ])
  })

  test('is reordered if it was acknowledged before another was requested, but the log has it later', () => {
    const violations = doctored(({ log, history }) => {
      swap(log.events, 2)
      history.readers = []
    })
    expect(violations).toContain(
      'reordered: messageCreated msg_2 was acknowledged before messageCreated msg_3 was requested, and comes after it',
    )
  })

  test('is reordered if its place in the log differs from its place in the thread', () => {
    const violations = doctored(({ log, history }) => {
      // The two requests overlap. Therefore only the positions in the thread decide.
      for (const place of [0, 1]) Object.assign(changeOf(history, place), { startedAt: 0, endedAt: 20 })
      swap(log.events, 0)
      history.readers = []
    })
    expect(violations).toContain('reordered: the log has msg_1 of thr_everyone instead of msg_0')
  })

  test('is leaked if a reader who is not in the group sees it', () => {
    const violations = doctored(({ outsider, log }) => {
      outsider.observations.splice(2, 0, observed(eventIn(log, 2), 2))
    })
    expect(violations).toEqual(['leaked: messageCreated msg_2 at position 13 for insiders (outsider)'])
  })

  test('is stray if it belongs to another workspace', () => {
    const stray = eventAt(2, { type: 'messageCreated', objectID: 'msg_x', threadID: 'thr_x' })
    const violations = doctored(({ witness }) => {
      witness.observations.splice(2, 1, observed({ ...stray, id: 'evt_x' }, 2))
    })
    expect(violations).toEqual(['stray: messageCreated msg_x is not at position 13 of the log (witness)'])
  })

  test('is unexplained if nobody requested the change', () => {
    const violations = doctored(({ history }) => void history.changes.splice(2, 1))
    expect(violations).toContain(
      'unexplained: messageWritten msg_2 has 1 events for 0 changes, 0 of them acknowledged',
    )
  })

  test('is unexplained if the change was refused', () => {
    const violations = doctored(
      ({ history }) => void Object.assign(changeOf(history, 2), { outcome: 'refused' }),
    )
    expect(violations).toContain(
      'unexplained: messageWritten msg_2 has 1 events for 0 changes, 0 of them acknowledged',
    )
  })

  test('is late if it was acknowledged before the last page was requested, and is not on that page', () => {
    const violations = doctored(({ outsider }) => {
      const page = { requestedAt: 46, isLast: true }
      outsider.observations.splice(2, 0, { at: 46, position: 14, page })
    })
    expect(violations).toEqual([
      'late: messageCreated msg_4 was acknowledged before the last page was requested (outsider)',
    ])
  })
})

describe('a visitor', () => {
  test('can see or miss an event while their access changes', () => {
    const isChanging = { isPresent: true, startedAt: 26, endedAt: 36 }
    const change = ({ rover }: Parts) => {
      rover.access = {
        ...rover.access,
        visitors: [{ isPresent: false, startedAt: -1, endedAt: -1 }, isChanging],
      }
    }
    expect(doctored(change)).toEqual([])
    const missing = doctored((parts) => {
      change(parts)
      parts.rover.observations.splice(2, 1)
    })
    expect(missing).toEqual([])
  })

  test('must not miss an event after the arrival', () => {
    expect(doctored(({ rover }) => void rover.observations.splice(2, 1))).toEqual([
      'lost: messageCreated msg_3 at position 14 for visitors (rover)',
    ])
  })

  test('must not see an event after the departure', () => {
    const gone = { isPresent: false, startedAt: 28, endedAt: 29 }
    const violations = doctored(({ rover, history }) => {
      rover.access = { ...rover.access, visitors: [...(rover.access.visitors as object[]), gone] as never }
      history.searches = []
    })
    expect(violations).toEqual(['leaked: messageCreated msg_3 at position 14 for visitors (rover)'])
  })

  test('must see the event of their own removal', () => {
    const removal = eventAt(5, { type: 'membersRemoved', objectID: 'grp_visitors', threadID: null })
    const violations = doctored(({ history, log, rover }) => {
      log.events.push({ ...removal, userIDs: [rover.userID] })
      history.readers = [rover]
      history.receivers = []
      history.changes.push({
        ...{ type: 'membersRemoved', audience: 'insiders', objectID: 'grp_visitors' },
        ...{ startedAt: 50, endedAt: 55, outcome: 'acknowledged' },
      })
    })
    expect(violations).toEqual(['lost: membersRemoved grp_visitors at position 16 for insiders (rover)'])
  })
})

describe('an endpoint', () => {
  const at = 200
  const receiptsOf = ({ receivers }: History, name: string) =>
    receivers.find((receiver) => receiver.name === name)?.receipts ?? []

  test('has lost an event that it never received', () => {
    const violations = doctored(({ history }) => void receiptsOf(history, 'outsider').splice(1, 1))
    expect(violations).toEqual(['lost: messageCreated msg_1 for everyone (outsider by webhook)'])
  })

  test('can receive an event again, but must receive the earlier events of its thread first', () => {
    const violations = doctored(({ history }) => void swap(receiptsOf(history, 'outsider'), 0))
    expect(violations).toEqual(['reordered: messageCreated msg_0 (outsider by webhook)'])
  })

  test('must not receive what its app cannot see', () => {
    const violations = doctored(({ history }) => {
      receiptsOf(history, 'outsider').push({ at, eventID: 'evt_2' })
    })
    expect(violations).toEqual(['leaked: messageCreated msg_2 for insiders (outsider by webhook)'])
  })

  test('must not receive an event of another workspace', () => {
    const violations = doctored(({ history }) => {
      receiptsOf(history, 'outsider').push({ at, eventID: 'evt_x' })
    })
    expect(violations).toEqual(['stray: evt_x is not in the log (outsider by webhook)'])
  })
})

describe('a change without an answer', () => {
  test('can have succeeded', () => {
    expect(doctored(({ history }) => void Object.assign(changeOf(history, 4), unknown))).toEqual([])
  })

  test('can have failed', () => {
    const violations = doctored(({ history }) => {
      history.changes.push({ ...changeOf(history, 4), ...unknown, text: 'fresh 9' })
    })
    expect(violations).toEqual([])
  })

  test('must be visible to all readers or to none', () => {
    const violations = doctored(({ history, outsider }) => {
      Object.assign(changeOf(history, 4), unknown)
      outsider.observations.pop()
    })
    expect(violations).toEqual(['lost: messageCreated msg_4 at position 15 for everyone (outsider)'])
  })

  test('is found by its key if its text was replaced', () => {
    const violations = doctored(({ history, log, witness, outsider, rover }) => {
      Object.assign(changeOf(history, 4), { key: 'k' })
      const update = eventAt(5, { type: 'messageUpdated', objectID: 'msg_4', threadID: 'thr_everyone' })
      log.events.push(update)
      history.receivers = []
      for (const { observations } of [witness, outsider, rover]) observations.push(observed(update, 5))
      history.changes.push({ ...changeOf(history, 4), ...unknown, text: 'fresh 9', key: 'k' })
    })
    expect(violations).toEqual([])
  })
})

describe('what is stored', () => {
  test('has no message twice', () => {
    const violations = doctored(({ message }) => void Object.assign(message('msg_1'), { text: 'fresh 0' }))
    expect(violations).toContain('doubled: two messages have the text “fresh 0”')
  })

  test('has one object for each key', () => {
    const violations = doctored(({ history }) => {
      for (const place of [0, 1]) Object.assign(changeOf(history, place), { key: 'k' })
    })
    expect(violations).toContain('doubled: k is msg_0 and msg_1')
  })

  test('has the text of the last change', () => {
    const violations = doctored(({ message }) => void Object.assign(message('msg_1'), { text: 'fresh 8' }))
    expect(violations).toContain('stale: msg_1 has the text “fresh 8”, and not “fresh 1”')
  })

  test('has positions without gaps', () => {
    const violations = doctored(({ message }) => void Object.assign(message('msg_1'), { position: 3 }))
    expect(violations).toContain('gap: thr_everyone has no message at position 2')
  })

  test('is found by a search, unless the reader cannot see it', () => {
    const violations = doctored(({ history }) => {
      const [search] = history.searches
      if (search) search.foundIDs = ['msg_0', 'msg_2', 'msg_4']
    })
    expect(violations).toEqual([
      'lost: the search of outsider for “fresh” does not find msg_1',
      'leaked: the search of outsider for “fresh” finds msg_2',
    ])
  })

  test('has the read marks that were acknowledged, and no other marks', () => {
    expect(
      doctored(({ history }) => void Object.assign(history.readState, { readUpTo: 0, unreadCount: 3 })),
    ).toEqual(['lost: thr_everyone is read up to 0, and was marked up to 2'])
    expect(doctored(({ history }) => void Object.assign(history.readState, { readUpTo: 3 }))).toEqual([
      'unexplained: thr_everyone is read up to 3, which nobody marked',
      'stale: thr_everyone has 0 unread messages, and counts 1',
    ])
  })
})

test('a deleted message is never unread', () => {
  const violations = doctored(({ history, message }) => {
    Object.assign(message('msg_4'), { text: '', deletedAt: '2026-11-26T10:00:00Z' })
    Object.assign(history.readState, { unreadCount: 0 })
    history.searches = []
  })
  expect(violations.filter((violation) => violation.includes('unread'))).toEqual([])
})

describe('a thread whose calls have versions', () => {
  const shown = {
    message: { id: 'msg_3', text: 'fresh 3', state: 'ok' },
    thread: { state: 'ok', closedAt: '2026-11-26T10:00:00Z' },
  }

  /** Makes message 3 the last of the versions 1 and 2 of its thread, and changes the history with the function. */
  function versioned(doctor: (parts: Parts & { thread: StoredThread; receipt: object }) => void): string[] {
    return doctored((parts) => {
      const { history, log, witness } = parts
      const thread = history.threads.find(({ id }) => id === 'thr_visitors') as StoredThread
      const event = { ...eventIn(log, 3), ...shown }
      witness.observations.splice(3, 1, observed(event, 3))
      const receipt = history.receivers
        .flatMap(({ receipts }) => receipts)
        .find(({ eventID }) => eventID === event.id)
      Object.assign(receipt ?? {}, shown)
      Object.assign(thread, shown.thread)
      Object.assign(parts.message('msg_3'), { state: 'ok' })
      const call = { messageID: 'msg_3', threadID: thread.id, isRepeated: false }
      const [newer, older] = [
        { version: 2, text: 'fresh 3', state: 'ok', threadClosed: true, startedAt: 30, endedAt: 32 },
        { version: 1, text: 'fresh 9', state: 'failed', threadClosed: false, startedAt: 33, endedAt: 35 },
      ] as const
      history.ordered.push({
        key: 'k',
        workspaceID: log.workspaceID,
        audience: 'visitors',
        calls: [
          { ...call, ...newer },
          { ...call, ...older },
        ],
      })
      Object.assign(changeOf(history, 3), { isOrdered: true })
      doctor({ ...parts, thread, receipt: receipt ?? {} })
    })
  }

  test('has the content, the state and the closing of the highest version', () => {
    expect(versioned(() => undefined)).toEqual([])
    expect(versioned(({ message }) => void Object.assign(message('msg_3'), { text: 'fresh 9' }))).toEqual([
      'stale: msg_3 is “fresh 9” and ok, and not “fresh 3” and ok',
    ])
    expect(versioned(({ message }) => void Object.assign(message('msg_3'), { state: 'failed' }))).toEqual([
      'stale: msg_3 is “fresh 3” and failed, and not “fresh 3” and ok',
    ])
    expect(versioned(({ thread }) => void Object.assign(thread, { closedAt: null }))).toContain(
      'stale: k is ok and open, and not ok and closed',
    )
    expect(versioned(({ thread }) => void Object.assign(thread, { state: 'failed' }))).toContain(
      'stale: k is failed and closed, and not ok and closed',
    )
  })

  test('has one message for each key, and is one thread', () => {
    const isDoubled = (calls: OrderedCall[], field: 'threadID' | 'messageID') =>
      void Object.assign(calls[1] as OrderedCall, { [field]: 'other' })
    expect(versioned(({ history }) => isDoubled(history.ordered[0]?.calls ?? [], 'messageID'))).toContain(
      'doubled: k has 1 messages, and not 2',
    )
    expect(versioned(({ history }) => isDoubled(history.ordered[0]?.calls ?? [], 'threadID'))).toEqual([
      'doubled: k has the threads thr_visitors,other',
    ])
  })

  test('is last seen as it is by every reader and endpoint', () => {
    const old = { ...shown, message: { ...shown.message, text: 'fresh 9' } }
    expect(versioned(({ witness }) => void Object.assign(witness.observations[3]?.event ?? {}, old))).toEqual(
      ['stale: k was last seen with “fresh 9” and ok, and not “fresh 3” and ok (witness)'],
    )
    const open = { ...shown, thread: { state: 'ok', closedAt: null } }
    expect(versioned(({ receipt }) => void Object.assign(receipt, open))).toEqual([
      'stale: k was last seen as ok, open (witness by webhook)',
    ])
  })
})

test('an answer that no fault explains is a violation', () => {
  expect(doctored(({ history }) => void history.surprises.push('INTERNAL: it failed'))).toEqual([
    'surprise: INTERNAL: it failed',
  ])
})
