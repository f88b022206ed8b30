/** How much one joint call may hold. */
export type Size<Call> = {
  /** How many calls. */
  calls: number
  /** What their sizes may add up to, and the size of one; a call that is larger goes alone. */
  size?: { max: number; of: (call: Call) => number }
  /** Whose call it is. When more calls wait than one joint call can hold, every owner gets a turn. */
  owner?: (call: Call) => string
}

/** Takes from a lane the calls of its next joint call: at least one, and all that wait if they fit. */
export function takeNext<Call, One extends { call: Call }>(
  lane: { waiting: One[] },
  bounds: Size<Call>,
): One[] {
  let count = fitting(lane.waiting, bounds)
  if (bounds.owner && count < lane.waiting.length) {
    lane.waiting = inTurn(lane.waiting, bounds.owner)
    count = fitting(lane.waiting, bounds)
  }
  return lane.waiting.splice(0, count)
}

/** The first call of each owner, then the second of each, and so on. */
function inTurn<Call, One extends { call: Call }>(waiting: One[], ownerOf: (call: Call) => string): One[] {
  const counts = new Map<string, number>()
  const numbered = waiting.map((one) => {
    const owner = ownerOf(one.call)
    const number = counts.get(owner) ?? 0
    counts.set(owner, number + 1)
    return { one, number }
  })
  return numbered.sort((a, b) => a.number - b.number).map(({ one }) => one)
}

/** How many of those that wait fit into one joint call: at least one. */
function fitting<Call>(waiting: { call: Call }[], { calls, size }: Size<Call>): number {
  if (!size) return calls
  let total = 0
  const firstTooMany = waiting.findIndex(({ call }) => {
    total += size.of(call)
    return total > size.max
  })
  return firstTooMany < 0 ? calls : Math.max(1, Math.min(calls, firstTooMany))
}
