type Line<Item> = { waiting: { item: Item; cost: number }[]; taken: number }

/**
 * A queue that is fair between keys: next comes an item of the key that has taken least so far, by the cost of its items.
 * So a key with many or dear items does not hold up a key with a few.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0
  /** What the key served last had taken before. A key that comes anew starts there, and so has no credit. */
  #taken = 0

  /** How many items wait, under one key or under all. */
  size(key?: string): number {
    return key === undefined ? this.#size : (this.#lines.get(key)?.waiting.length ?? 0)
  }

  push(key: string, item: Item, cost = 1): void {
    const line = this.#lines.get(key) ?? { waiting: [], taken: this.#taken }
    if (line.waiting.length === 0) {
      // Keys that are equal are served in the order in which they came.
      this.#lines.delete(key)
      this.#lines.set(key, line)
      line.taken = Math.max(line.taken, this.#taken)
    }
    line.waiting.push({ item, cost })
    this.#size += 1
  }

  /** Takes the next item of the keys that may be served, or undefined if there is none. */
  shift(mayServe: (key: string) => boolean = () => true): Item | undefined {
    const line = this.#nextLine(mayServe)
    const next = line?.waiting.shift()
    if (!line || !next) return undefined
    this.#taken = Math.max(this.#taken, line.taken)
    line.taken += next.cost
    this.#lessen()
    return next.item
  }

  /** Takes one item out of the queue of its key. */
  remove(key: string, item: Item): void {
    const waiting = this.#lines.get(key)?.waiting ?? []
    const index = waiting.findIndex((one) => one.item === item)
    if (index < 0) return
    waiting.splice(index, 1)
    this.#lessen()
  }

  #nextLine(mayServe: (key: string) => boolean): Line<Item> | undefined {
    let next: Line<Item> | undefined
    for (const [key, line] of this.#lines) {
      if (line.waiting.length === 0) {
        // What it took beyond the others counts until they have taken as much.
        if (line.taken <= this.#taken) this.#lines.delete(key)
      } else if ((!next || line.taken < next.taken) && mayServe(key)) next = line
    }
    return next
  }

  #lessen(): void {
    this.#size -= 1
    if (this.#size === 0) this.#lines.clear()
  }
}
