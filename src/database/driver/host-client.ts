import pg from 'pg'

type HostConfig = pg.ClientConfig & { hosts?: Hosts | undefined }

/** PostgreSQL's code for a write on a server that is read-only. */
const readOnlyState = '25006'

/** The hosts of a URL such as `postgres://a:5432,b:5432/skein`. All clients use the one that accepted writes last. */
export class Hosts {
  readonly #urls: readonly string[]
  readonly needsWrites: boolean
  #current = 0

  constructor(urls: readonly string[], needsWrites: boolean) {
    this.#urls = urls
    this.needsWrites = needsWrites
  }

  get count(): number {
    return this.#urls.length
  }

  get current(): string {
    return this.#urls[this.#current] ?? ''
  }

  /** Moves on to the next host, unless another client has done so. */
  leave(url: string): void {
    if (url === this.current) this.#current = (this.#current + 1) % this.#urls.length
  }
}

const known = new Map<string, Hosts>()

/**
 * Returns the hosts of a URL that names several, as libpq reads it, or undefined if it names one. Unlike libpq, several
 * hosts mean by default that the server must accept writes (`target_session_attrs=read-write`).
 */
export function hostsOf(url: string): Hosts | undefined {
  const [, start = '', list = '', rest = ''] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  if (!list.includes(',')) return undefined
  const target = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1] ?? 'read-write'
  const others = rest.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&]$/, '')
  const hosts =
    known.get(url) ??
    new Hosts(
      list.split(',').map((host) => start + host + others),
      target !== 'any',
    )
  known.set(url, hosts)
  return hosts
}

/** Connects to the current one of several hosts. If that fails, the next client connects to the next host. */
export class HostClient extends pg.Client {
  readonly #hosts: Hosts | undefined
  readonly #url: string

  constructor(config: HostConfig = {}) {
    const { hosts, ...others } = config
    const url = hosts?.current ?? ''
    super(hosts ? { ...others, connectionString: url } : config)
    this.#hosts = hosts
    this.#url = url
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (!this.#hosts) return callback ? void super.connect(callback) : super.connect()
    const connected = this.#connectTo(this.#hosts)
    if (!callback) return connected
    connected.then(() => callback(undefined as never), callback)
    return undefined
  }

  async #connectTo(hosts: Hosts): Promise<pg.Client> {
    try {
      const client = await super.connect()
      if (hosts.needsWrites) await this.#requireWrites()
      return client
    } catch (error) {
      hosts.leave(this.#url)
      throw error
    }
  }

  async #requireWrites(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'on') return
    await this.end()
    const message = `The server ${this.host}:${this.port} is read-only.`
    throw Object.assign(new Error(message), { code: readOnlyState, severity: 'FATAL' })
  }
}
