import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../deployment/requests.ts'
import type { Log, SeenEvent, StoredMessage, StoredThread } from '../history.ts'
import { type EventPage, eventFields } from './readers.ts'

type Page<Node> = { nodes: Node[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } }

const threadsAtOnce = 20
const attempts = 100
const pauseMs = 200

/** Reads what the service has stored, after all writes and faults have ended. */
export class FinalState {
  readonly #client: Client
  readonly #url: string

  constructor(client: Client, url: string) {
    this.#client = client
    this.#url = `${url}/public/graphql`
  }

  async latestCursor(token: string): Promise<string> {
    return this.#must(token, '{ latestEventCursor }')
  }

  async events(token: string, after: string): Promise<SeenEvent[]> {
    const query = `query ($after: String) {
      events(first: 100, after: $after) { nodes { ${eventFields} } pageInfo { endCursor hasNextPage } } }`
    return this.#all((cursor) => this.#must<EventPage>(token, query, { after: cursor ?? after }))
  }

  /** Reads the threads that the events are about. */
  async threads(token: string, { workspaceID, events }: Log): Promise<StoredThread[]> {
    const ids = [...new Set(events.flatMap(({ threadID }) => threadID ?? []))]
    const threads: StoredThread[] = []
    for (let begin = 0; begin < ids.length; begin += threadsAtOnce) {
      const part = ids.slice(begin, begin + threadsAtOnce)
      const read = part.map(async (id) => ({ id, workspaceID, ...(await this.#thread(token, id)) }))
      threads.push(...(await Promise.all(read)))
    }
    return threads
  }

  async search(token: string, word: string): Promise<string[]> {
    const query = `query ($word: String!, $after: String) {
      searchMessages(query: $word, first: 100, after: $after) {
        nodes { id } pageInfo { endCursor hasNextPage } } }`
    const found = await this.#all((after) => this.#must<Page<{ id: string }>>(token, query, { word, after }))
    return found.map(({ id }) => id)
  }

  async readState(token: string, threadID: string): Promise<{ readUpTo: number; unreadCount: number }> {
    const query = 'query ($id: ID!) { thread(id: $id) { unreadCount readUpTo { position } } }'
    type State = { unreadCount: number; readUpTo: { position: number } | null }
    const { unreadCount, readUpTo } = await this.#must<State>(token, query, { id: threadID })
    return { unreadCount, readUpTo: readUpTo?.position ?? 0 }
  }

  async #thread(token: string, id: string): Promise<Omit<StoredThread, 'id' | 'workspaceID'>> {
    const query = `query ($id: ID!, $after: String) { thread(id: $id) {
      state closedAt messages(first: 100, after: $after) {
        nodes { id text state position deletedAt } pageInfo { endCursor hasNextPage } } } }`
    type Read = Omit<StoredThread, 'messages'> & { messages: Page<StoredMessage> }
    let outcome: Pick<StoredThread, 'state' | 'closedAt'> = { state: null, closedAt: null }
    const messages = await this.#all(async (after) => {
      const { state, closedAt, messages } = await this.#must<Read>(token, query, { id, after })
      outcome = { state, closedAt }
      return messages
    })
    return { ...outcome, messages }
  }

  async #all<Node>(page: (after: string | null) => Promise<Page<Node>>): Promise<Node[]> {
    const nodes: Node[] = []
    for (let after: string | null = null, isEnd = false; !isEnd; ) {
      const { nodes: more, pageInfo } = await page(after)
      nodes.push(...more)
      after = pageInfo.endCursor
      isEnd = !pageInfo.hasNextPage
    }
    return nodes
  }

  async #must<Value>(token: string, query: string, variables: object = {}): Promise<Value> {
    // A process that was killed shortly before may still be starting.
    for (let attempt = 1; ; attempt += 1) {
      const { value, outcome } = await this.#client.ask<Value>(this.#url, token, query, variables)
      if (value !== undefined) return value
      if (attempt === attempts) throw new Error(`After the run, a query is ${outcome}: ${query}`)
      await sleep(pauseMs)
    }
  }
}
