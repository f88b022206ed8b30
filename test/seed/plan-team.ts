import { randomNumbers } from '../support/random-numbers.ts'
import type { Plan, PlannedThread, Post, Size } from './plan.ts'
import * as texts from './texts.ts'

/** Person 0 is the admin. Person 1 is in more than half of the groups. */
export function planTeam(size: Size): Plan {
  return new Planner(size).plan()
}

class Planner {
  readonly #size: Size
  readonly #names: readonly string[]
  readonly #share = randomNumbers(45)
  readonly #plan: Plan

  constructor(size: Size) {
    this.#size = size
    this.#names = texts.groups.slice(0, size.groups)
    this.#plan = { members: this.#names.map((_, group) => this.#membersOf(group)), threads: [], posts: [] }
  }

  plan(): Plan {
    const { threads, posts } = this.#plan
    threads.push(...this.#names.map((_, group): PlannedThread => ({ kind: 'chat', group })))
    threads.push(...this.#pairs().map((between): PlannedThread => ({ kind: 'dm', between })))
    const talks = threads.length
    while (threads.length < this.#size.threads) this.#addThread(threads.length)
    // The rest is said in chats and DMs: in each of them something, and in some of them far more than in others.
    for (let thread = 0; thread < talks; thread += 1) this.#addRemark(thread, this.#share())
    const rest = this.#size.messages - posts.filter(({ isUpdate }) => !isUpdate).length
    for (let n = 0; n < rest; n += 1) this.#addRemark(Math.floor(this.#share() ** 2 * talks), this.#share())
    posts.sort((one, other) => one.at - other.at)
    return this.#plan
  }

  #membersOf(group: number): number[] {
    const size = 3 + this.#below(this.#size.people / 2)
    const chosen = new Set(
      Array.from({ length: size }, () => this.#below(this.#size.people)).filter((n) => n !== 1),
    )
    if (group < (this.#size.groups * 34) / 60) chosen.add(1)
    return [...(chosen.size > 1 ? chosen : [0, 2])]
  }

  #pairs(): (readonly [number, number])[] {
    const { people } = this.#size
    const all = Array.from({ length: people }, (_, low) =>
      Array.from({ length: people - low - 1 }, (_, n) => [low, low + n + 1] as const),
    ).flat()
    return all.filter(() => this.#share() < 0.25)
  }

  #addThread(thread: number): void {
    const group = this.#share() < 0.3 ? 0 : this.#below(this.#names.length)
    const webhook = texts.webhooks.findIndex(({ posts }) => this.#names[group]?.startsWith(posts))
    if (webhook === -1) this.#addTopic(thread, group)
    // Grafana and Alertmanager both post alerts.
    else this.#addAlert(thread, group, webhook === 0 && this.#share() < 0.3 ? 1 : webhook)
  }

  /** A build or an alert: most become better, some worse, and people talk about them. */
  #addAlert(thread: number, group: number, webhook: number): void {
    const subject = `${this.#pick(texts.alerts)} ${this.#names[group]?.replace(/^\w+-/, '')}-${this.#below(40)}`
    this.#plan.threads.push({ kind: 'thread', group, subject, threadBy: `alert-${thread}` })
    const author = { webhook }
    const start = this.#share()
    const end = start + this.#share() ** 3 * Math.min(0.1, 1 - start)
    const at = () => start + this.#share() * (end - start)
    const status = { thread, author, uniqueBy: 'status' }
    const turns = this.#share()
    const begun = turns < 0.3 ? 'running' : 'failed'
    this.#post({ ...status, at: start, state: begun, text: `**${subject}**: ${begun}` })
    for (let n = this.#below(group === 0 ? 40 : 8); n > 0; n -= 1) {
      if (this.#share() < 0.3) this.#addRemark(thread, at())
      else this.#post({ thread, author, at: at(), text: this.#filled(texts.progress) })
    }
    if (turns < 0.1)
      this.#post({ ...status, at: end, isUpdate: true, state: 'failed', text: `**${subject}** failed` })
    else if (turns < 0.85)
      this.#post({
        ...status,
        at: end,
        isUpdate: true,
        state: 'ok',
        threadClosed: true,
        text: `**${subject}** is ok again`,
      })
  }

  /** What people talk about. A few threads are long, and some also name a person who is not in the group. */
  #addTopic(thread: number, group: number): void {
    const named = this.#share() < 0.1 ? this.#below(this.#size.people) : undefined
    const topic = { kind: 'thread', group, subject: this.#filled(texts.subjects) } as const
    this.#plan.threads.push({ ...topic, ...(named !== undefined && { named }) })
    const start = this.#share()
    const length = this.#share() ** 2 * Math.min(0.3, 1 - start)
    const count = 1 + Math.floor(this.#share() ** 4 * 120)
    for (let n = 0; n < count; n += 1) this.#addRemark(thread, start + this.#share() * length)
  }

  #addRemark(thread: number, at: number): void {
    const people = this.#peopleOf(thread)
    const author = this.#pick(people)
    const text = this.#filled(texts.remarks)
    const chance = this.#share()
    const planned = this.#plan.threads[thread]
    const mention =
      chance < 0.03
        ? { person: this.#pick(people) }
        : chance < 0.035 && planned?.kind === 'thread'
          ? { group: planned.group }
          : undefined
    const reaction =
      chance > 0.97 ? { person: this.#pick(people), emoji: this.#pick(texts.reactions) } : undefined
    const file = chance > 0.5 && chance < 0.502 ? `notes-${this.#below(900)}.txt` : undefined
    this.#post({
      thread,
      at,
      author: { person: author },
      text,
      ...(mention && { mention }),
      ...(reaction && { reaction }),
      ...(file && { file }),
    })
  }

  #peopleOf(thread: number): readonly number[] {
    const planned = this.#plan.threads[thread]
    if (!planned) throw new Error(`There is no thread ${thread}.`)
    return planned.kind === 'dm' ? planned.between : (this.#plan.members[planned.group] ?? [])
  }

  #post(post: Post): void {
    this.#plan.posts.push(post)
  }

  #filled(choices: readonly string[]): string {
    return this.#pick(choices).replace('{}', String(1 + this.#below(900)))
  }

  #below(limit: number): number {
    return Math.floor(this.#share() * limit)
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[this.#below(values.length)]
    if (value === undefined) throw new Error('There is nothing to choose from.')
    return value
  }
}
