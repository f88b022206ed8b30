import type { Database } from './database.ts'

export type Bounds<Call> = {
  /** How many joint calls of one lane may be under way at once. */
  running: number
  /** How many calls one joint call may hold. */
  calls: number
  /** What their sizes may add up to, and the size of one; a call that is larger goes alone. */
  size?: { max: number; of: (call: Call) => number }
  /** Whether after this failure the calls are to be made one by one, so that each fails by itself. */
  apart?: (error: unknown) => boolean
}

type Waiting<Call, Answer> = {
  call: Call
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

type Lane<Call, Answer> = { waiting: Waiting<Call, Answer>[]; running: number; isDue: boolean }

/**
 * Joins calls into joint ones, lane by lane. Where nothing is under way, a call starts with the others of the same
 * turn of the event loop; else it waits for the next joint call, with all that come until then. `run` gets the calls
 * in the order in which they came, and resolves to their answers in that order; when it fails, all of them fail.
 */
export function joining<Call, Answer>(
  bounds: Bounds<Call>,
  run: (db: Database, calls: [Call, ...Call[]]) => Promise<Answer[]>,
): (db: Database, lane: string, call: Call) => Promise<Answer> {
  // A transaction sees other rows than its database, so its calls are joined among themselves.
  const lanesOf = new WeakMap<Database, Map<string, Lane<Call, Answer>>>()

  /** What to tell each of the callers, once there is an answer for all of them. */
  async function outcomes(db: Database, joined: Waiting<Call, Answer>[]): Promise<(() => void)[]> {
    try {
      const answers = await run(db, joined.map(({ call }) => call) as [Call, ...Call[]])
      return joined.map(
        ({ resolve }, index) =>
          () =>
            resolve(answers[index] as Answer),
      )
    } catch (error) {
      if (joined.length === 1 || !bounds.apart?.(error))
        return joined.map(
          ({ reject }) =>
            () =>
              reject(error),
        )
      const apart: (() => void)[] = []
      for (const one of joined) apart.push(...(await outcomes(db, [one])))
      return apart
    }
  }

  async function start(db: Database, name: string): Promise<void> {
    const lanes = lanesOf.get(db)
    const lane = lanes?.get(name)
    if (!lanes || !lane) return
    const joined = lane.waiting.splice(0, fitting(lane.waiting, bounds))
    lane.isDue = false
    lane.running += 1
    schedule(db, name, lane)
    const tell = await outcomes(db, joined)
    lane.running -= 1
    // Those that wait go first, so that the database works while the callers go on.
    if (lane.waiting.length > 0 && !lane.isDue) start(db, name)
    else if (lane.running === 0 && !lane.isDue) lanes.delete(name)
    for (const one of tell) one()
  }

  function schedule(db: Database, name: string, lane: Lane<Call, Answer>): void {
    if (lane.isDue || lane.waiting.length === 0 || lane.running >= bounds.running) return
    lane.isDue = true
    setImmediate(start, db, name)
  }

  return (db, name, call) =>
    new Promise((resolve, reject) => {
      const lanes = lanesOf.get(db) ?? new Map<string, Lane<Call, Answer>>()
      lanesOf.set(db, lanes)
      const lane = lanes.get(name) ?? { waiting: [], running: 0, isDue: false }
      lanes.set(name, lane)
      lane.waiting.push({ call, resolve, reject })
      schedule(db, name, lane)
    })
}

/** How many of those that wait fit into one joint call: at least one. */
function fitting<Call>(waiting: { call: Call }[], { calls, size }: Bounds<Call>): number {
  if (!size) return calls
  let total = 0
  const firstTooMany = waiting.findIndex(({ call }) => {
    total += size.of(call)
    return total > size.max
  })
  return firstTooMany < 0 ? calls : Math.max(1, Math.min(calls, firstTooMany))
}
