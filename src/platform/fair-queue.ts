type Line<Item> = { waiting: { item: Item; cost: number }[]; taken: number }

/** A queue that is fair between keys: the next item is of the key whose served items have cost least so far. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  #size = 0
  /** What the key served last had taken before. A new key starts with this value, so it has no credit. */
  #taken = 0

  size(key?: string): number {
    return key === undefined ? this.#size : (this.#lines.get(key)?.waiting.length ?? 0)
  }

  push(key: string, item: Item, cost = 1): void {
    const line = this.#lines.get(key) ?? { waiting: [], taken: this.#taken }
    if (line.waiting.length === 0) {
      // Keys that have taken equally much are served in order of arrival.
      this.#lines.delete(key)
      this.#lines.set(key, line)
      line.taken = Math.max(line.taken, this.#taken)
    }
    line.waiting.push({ item, cost })
    this.#size += 1
  }

  shift(mayServe: (key: string) => boolean = () => true): Item | undefined {
    const line = this.#nextLine(mayServe)
    const next = line?.waiting.shift()
    if (!line || !next) return undefined
    this.#taken = Math.max(this.#taken, line.taken)
    line.taken += next.cost
    this.#lessen()
    return next.item
  }

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
        // A key that took more than the others is kept until they have taken as much.
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
