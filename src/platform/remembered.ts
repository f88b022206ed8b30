/** Facts by a key, the latest `max` of them that were learnt. */
export class Remembered<Fact> {
  readonly #facts = new Map<string, Fact>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Fact | undefined {
    return this.#facts.get(key)
  }

  set(key: string, fact: Fact): void {
    const oldest = this.#facts.size >= this.#max ? this.#facts.keys().next() : undefined
    if (oldest?.value !== undefined) this.#facts.delete(oldest.value)
    this.#facts.set(key, fact)
  }

  delete(key: string): void {
    this.#facts.delete(key)
  }
}
