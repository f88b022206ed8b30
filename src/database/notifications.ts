import type pg from 'pg'
import { connectionOptions } from './database.ts'
import { HostClient } from './driver/host-client.ts'

const reconnectAfterMs = 1000
/** Notifications are sent together, at most this often, because each NOTIFY takes a lock of the whole server. */
const sendEveryMs = 20

type OnNotify = (payload: string) => void

/** Notifies the other processes that use the database (LISTEN, NOTIFY). Notifications can be lost. */
export class Notifications {
  readonly #url: string | undefined
  readonly #channels = new Map<string, OnNotify>()
  readonly #waiting = new Map<string, [channel: string, payload: string]>()
  #client: pg.Client | undefined
  #connectTimer: NodeJS.Timeout | undefined
  #sendTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(url: string | undefined) {
    this.#url = url
  }

  /** Calls `onNotify` for each notification of another process, and with an empty payload if some may be lost. */
  on(channel: string, onNotify: OnNotify): void {
    this.#channels.set(channel, onNotify)
  }

  start(): void {
    if (this.#url !== undefined && !this.#client && !this.#isStopped) this.#connect(this.#url)
  }

  /** Sends a notification. Call it after the commit of the change. Equal notifications are sent once. */
  send(channel: string, payload = ''): void {
    if (!this.#client) return
    this.#waiting.set(`${channel} ${payload}`, [channel, payload])
    this.#sendTimer ??= setTimeout(() => this.#flush(), sendEveryMs).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#connectTimer)
    clearTimeout(this.#sendTimer)
    await this.#client?.end().catch(() => undefined)
  }

  #connect(url: string): void {
    const client = new HostClient(connectionOptions(url))
    this.#client = client
    client.on('notification', ({ channel, payload = '', processId }) => {
      // A process also receives the notifications that it has sent itself.
      if (processId !== Reflect.get(client, 'processID')) this.#channels.get(channel)?.(payload)
    })
    client.on('error', () => undefined)
    client.once('end', () => this.#connectLater(url))
    this.#listen(client).catch(() => {
      client.end().catch(() => undefined)
      this.#connectLater(url)
    })
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect()
    for (const channel of this.#channels.keys()) await client.query(`LISTEN ${channel}`)
    // Another process may have sent a notification before the connection was ready.
    for (const onNotify of this.#channels.values()) onNotify('')
  }

  #connectLater(url: string): void {
    if (this.#isStopped) return
    clearTimeout(this.#connectTimer)
    this.#connectTimer = setTimeout(() => this.#connect(url), reconnectAfterMs).unref()
  }

  #flush(): void {
    this.#sendTimer = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    const columns = [waiting.map(([channel]) => channel), waiting.map(([, payload]) => payload)]
    this.#client
      ?.query(
        'SELECT pg_notify(n.channel, n.payload) FROM unnest($1::text[], $2::text[]) AS n (channel, payload)',
        columns,
      )
      .catch(() => undefined)
  }
}
