export type Size<Call> = {
  calls: number
  /** The maximum sum of the sizes of the calls. A larger call gets a batch of its own. */
  size?: { max: number; of: (call: Call) => number }
  /** The owners take turns if more calls wait than fit into a batch. */
  owner?: (call: Call) => string
  /** Returns a function that says whether a call can join the earlier calls of a batch. If not, the batch ends. */
  joiner?: () => (call: Call) => boolean
}

/** Removes and returns the calls of the next batch: all waiting calls if they fit, otherwise at least one call. */
export function takeNext<Call, One extends { call: Call }>(
  queue: { waiting: One[] },
  limits: Size<Call>,
): One[] {
  let count = fitting(queue.waiting, limits)
  if (limits.owner && count < queue.waiting.length) {
    queue.waiting = roundRobin(queue.waiting, limits.owner)
    count = fitting(queue.waiting, limits)
  }
  return queue.waiting.splice(0, count)
}

function roundRobin<Call, One extends { call: Call }>(
  waiting: One[],
  ownerOf: (call: Call) => string,
): One[] {
  const counts = new Map<string, number>()
  const numbered = waiting.map((one) => {
    const owner = ownerOf(one.call)
    const number = counts.get(owner) ?? 0
    counts.set(owner, number + 1)
    return { one, number }
  })
  return numbered.sort((a, b) => a.number - b.number).map(({ one }) => one)
}

function fitting<Call>(waiting: { call: Call }[], { calls, size, joiner }: Size<Call>): number {
  const joins = joiner?.()
  if (!size && !joins) return calls
  let total = 0
  const firstTooMany = waiting.slice(0, calls).findIndex(({ call }) => {
    total += size?.of(call) ?? 0
    return (size && total > size.max) || joins?.(call) === false
  })
  return firstTooMany < 0 ? calls : Math.max(1, Math.min(calls, firstTooMany))
}
