import { isDeepStrictEqual } from 'node:util'
import { type Attention, Reference } from '../../messages/mine/reference.ts'
import type { Office, Person, Place } from './office.ts'

/** A change, as the reference of a person makes it. */
export type Action = (reference: Reference) => void

/** What has happened to a person. If an answer was lost, several courses are possible until the service is read. */
export class Ledger {
  readonly person: Person
  /** The groups that the person is in. */
  readonly groups = new Set<string>()
  readonly #generalGroupID: string
  readonly #begun = new Set<string>()
  #courses: Action[][] = [[]]

  constructor(person: Person, { ada, groups }: Office) {
    this.person = person
    this.#generalGroupID = groups[0]
    for (const id of person === ada ? groups : groups.slice(0, 1)) this.groups.add(id)
    for (const id of this.groups) this.add((reference) => reference.join(id))
  }

  add(action: Action): void {
    this.choose([[action]])
  }

  /** One of these happened. */
  choose(alternatives: readonly Action[][]): void {
    this.#courses = this.#courses.flatMap((course) => alternatives.map((more) => [...course, ...more]))
  }

  /** Returns the action that begins a thread, if it is new to the person. */
  beginning({ id, kind, groups, named }: Place): Action[] {
    if (this.#begun.has(id)) return []
    this.#begun.add(id)
    const isNamed = named.includes(this.person.userID)
    const of = { groups, named: isNamed, isDM: kind === 'dm', isChat: kind === 'chat' }
    return [(reference) => reference.begin(id, of)]
  }

  /** Keeps the courses that explain what the service says. If there are none, returns what the first one expects. */
  explain(observed: Attention): Attention | undefined {
    const expected = this.#courses.map((course) => this.#attentionAfter(course))
    const explaining = this.#courses.filter((_, index) => isDeepStrictEqual(expected[index], observed))
    if (explaining.length === 0) return expected[0]
    this.#courses = explaining
    return undefined
  }

  #attentionAfter(course: Action[]): Attention {
    const reference = new Reference(this.person.userID, this.#generalGroupID)
    for (const action of course) action(reference)
    return reference.attention()
  }
}
