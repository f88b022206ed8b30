import { TemplateProblem } from './template-problem.ts'

/** What the templates of one call can use together. */
export const bounds = {
  turns: 10_000,
  sourceCharacters: 500_000,
  valueCharacters: 500_000,
  /** Only the last stop, because the time also depends on the load of the machine. */
  milliseconds: 1000,
}

/**
 * Counts the work of templates, so that a body or a template cannot block the process. Without loops, each part of a
 * template runs at most once, and costs time in proportion to its length and to the values that it reads.
 */
export class Budget {
  #turns = 0
  #sourceCharacters = 0
  #valueCharacters = 0
  readonly #end = performance.now() + bounds.milliseconds

  /** Counts a turn of a loop whose inside has this many characters. */
  turn(sourceCharacters: number): void {
    this.#turns += 1
    this.#sourceCharacters += sourceCharacters
    if (this.#turns > bounds.turns)
      throw new TemplateProblem(`the loops of a call have more than ${shown(bounds.turns)} turns`)
    if (this.#sourceCharacters > bounds.sourceCharacters)
      throw new TemplateProblem(
        `the loops of a call run through more than ${shown(bounds.sourceCharacters)} characters of templates`,
      )
  }

  /** Counts the characters of a text, or the items of a list or an object, that a template reads or makes. */
  read(characters: number): void {
    this.#valueCharacters += characters
    if (this.#valueCharacters > bounds.valueCharacters)
      throw new TemplateProblem(
        `the templates of a call read more than ${shown(bounds.valueCharacters)} characters of values`,
      )
  }

  checkTime(): void {
    if (performance.now() > this.#end) throw new OutOfTime()
  }
}

/** The templates of a call took longer than a second. A repetition of the call may succeed. */
export class OutOfTime extends Error {}

function shown(count: number): string {
  return count.toLocaleString('en')
}
