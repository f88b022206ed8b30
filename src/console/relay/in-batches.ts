const pauseMs = 100

/** Delivers the first item at once, and the items of the next 100 ms together. */
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
    if (timer === undefined) flush()
  }
}
