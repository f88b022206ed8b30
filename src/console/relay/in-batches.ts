/** Events of one change arrive in several subscriptions, some milliseconds apart. */
const gatherMs = 20
const pauseMs = 100

/** Collects items for 20 ms, and delivers them together. While more items arrive, delivers them every 100 ms. */
export function inBatches<T>(deliver: (items: T[]) => void): (item: T) => void {
  let waiting: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    timer = setTimeout(flush, pauseMs)
    deliver(items)
  }
  return (item) => {
    waiting.push(item)
    if (timer === undefined) timer = setTimeout(flush, gatherMs)
  }
}
