import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '../deployment/deployment.ts'
import type { Answer, Client } from '../deployment/requests.ts'
import type { Outcome } from '../history.ts'
import type { Random } from '../random.ts'
import { settleMs } from '../writers/recorder.ts'
import type { Ledger } from './ledger.ts'
import type { Office, Person, Place } from './office.ts'

/** What somebody sent. No other message has the same text. */
export type Said = {
  author: string
  isProgram: boolean
  mentions: readonly string[]
  outcome?: Outcome
  endedAt?: number
}

/** A message as it was last read. The times are in milliseconds. */
export type Known = {
  id: string
  position: number
  author: string
  text: string
  calledAt: number
  isGone: boolean
}

/** What the people of an office work with. */
export type Desk = {
  office: Office
  deployment: Deployment
  client: Client
  random: Random
  ledgers: Ledger[]
  texts: Map<string, Said>
  /** The threads that were started and not found yet, by their subject. */
  started: Map<string, Omit<Place, 'id'>>
  /** The messages of each thread in the order of their positions. */
  known: Map<string, Known[]>
  /** The changes since the last reading whose answer was lost. */
  lost: string[]
  /** The kinds of changes that were made, and each change in the order of time. */
  kinds: Set<string>
  log: string[]
}

const retryMs = 100
let numbers = 0

export function nextNumber(): number {
  numbers += 1
  return numbers
}

/** Returns a text that mentions these users and groups. */
export function textWith(mentions: readonly string[]): string {
  return [`Number ${nextNumber()}`, ...mentions.map((id) => `[X](skein:${id})`)].join(' ')
}

/** Returns a desk with random numbers of its own, for what happens at the same time as something else. */
export function forked(desk: Desk): Desk {
  return { ...desk, random: desk.random.fork() }
}

export function note({ log, kinds }: Desk, kind: string, ...details: unknown[]): void {
  kinds.add(kind)
  log.push([kind, ...details].join(' '))
}

export function urlOf({ deployment, random }: Desk): string {
  return `${deployment.url(random)}/public/graphql`
}

/** Runs a mutation once. */
export async function mutate<Value>(
  desk: Desk,
  { token }: Person,
  name: string,
  input: object,
  selection: string,
): Promise<Answer<Value>> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
  return settled(desk, await desk.client.ask<Value>(urlOf(desk), token, query, { input }))
}

/** Returns the answer. If it is lost, the next reading waits until the change is made or lost too. */
export function settled<Value>(desk: Desk, answer: Answer<Value>): Answer<Value> {
  if (answer.outcome === 'unknown') desk.lost.push(desk.log.at(-1) ?? '')
  return answer
}

/** Repeats an attempt until it is acknowledged. */
export async function until<Value>(attempt: () => Promise<Answer<Value>>) {
  for (let attempts = 1; ; attempts += 1) {
    const startedAt = performance.now()
    const { value } = await attempt()
    // The statement of an earlier attempt can still run for a short time.
    if (value !== undefined && attempts > 1) await sleep(settleMs)
    if (value !== undefined) return { value, attempts, startedAt }
    await sleep(retryMs)
  }
}

/** Reads as a person, until there is an answer. */
export async function read<Data>(desk: Desk, { token }: Person, query: string): Promise<Data> {
  return (await until(() => desk.client.read<Data>(urlOf(desk), token, query))).value
}
