/** A cache of at most `max` entries, which drops the least recently used one. */
export class Remembered<Fact> {
  readonly #facts = new Map<string, Fact>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Fact | undefined {
    const fact = this.#facts.get(key)
    if (fact !== undefined) this.#renew(key, fact)
    return fact
  }

  set(key: string, fact: Fact): void {
    this.#renew(key, fact)
    if (this.#facts.size <= this.#max) return
    const [leastRecent] = this.#facts.keys()
    if (leastRecent !== undefined) this.#facts.delete(leastRecent)
  }

  delete(key: string): void {
    this.#facts.delete(key)
  }

  #renew(key: string, fact: Fact): void {
    this.#facts.delete(key)
    this.#facts.set(key, fact)
  }
}
