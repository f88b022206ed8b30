type KeyQueue<Item> = { waiting: { item: Item; cost: number }[]; servedCost: number }

/** A queue that is fair between keys. The next item belongs to the key whose served items have the least total cost. */
export class FairQueue<Item> {
  readonly #queues = new Map<string, KeyQueue<Item>>()
  #size = 0
  /** The highest total cost that a key had immediately before it was served. A new key starts with this cost. */
  #servedCost = 0

  size(key?: string): number {
    return key === undefined ? this.#size : (this.#queues.get(key)?.waiting.length ?? 0)
  }

  push(key: string, item: Item, cost = 1): void {
    const queue = this.#queues.get(key) ?? { waiting: [], servedCost: this.#servedCost }
    if (queue.waiting.length === 0) {
      // Keys with equal cost are served in order of arrival.
      this.#queues.delete(key)
      this.#queues.set(key, queue)
      queue.servedCost = Math.max(queue.servedCost, this.#servedCost)
    }
    queue.waiting.push({ item, cost })
    this.#size += 1
  }

  shift(mayServe: (key: string) => boolean = () => true): Item | undefined {
    const queue = this.#nextQueue(mayServe)
    const next = queue?.waiting.shift()
    if (!queue || !next) return undefined
    this.#servedCost = Math.max(this.#servedCost, queue.servedCost)
    queue.servedCost += next.cost
    this.#decrementSize()
    return next.item
  }

  remove(key: string, item: Item): void {
    const waiting = this.#queues.get(key)?.waiting ?? []
    const index = waiting.findIndex((one) => one.item === item)
    if (index < 0) return
    waiting.splice(index, 1)
    this.#decrementSize()
  }

  #nextQueue(mayServe: (key: string) => boolean): KeyQueue<Item> | undefined {
    let next: KeyQueue<Item> | undefined
    for (const [key, queue] of this.#queues) {
      if (queue.waiting.length === 0) {
        // Keeps an empty queue until others have reached its cost. Otherwise its key would return with a lower cost.
        if (queue.servedCost <= this.#servedCost) this.#queues.delete(key)
      } else if ((!next || queue.servedCost < next.servedCost) && mayServe(key)) next = queue
    }
    return next
  }

  #decrementSize(): void {
    this.#size -= 1
    if (this.#size === 0) this.#queues.clear()
  }
}
