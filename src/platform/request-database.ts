import { RequestSignal, type Signal } from './request-signal.ts'

const binding = Symbol('binding')

export type RequestBinding<Database> = {
  shared: Database
  signal?: Signal | undefined
  /** The key of the caller. Connections and turns of the event loop are shared fairly between the keys. */
  caller?: string | undefined
}

/** Returns the database for a request. When the signal aborts, reads stop, transactions roll back, and calls throw. */
export function databaseForRequest<Database extends object>(
  db: Database,
  signal: Signal,
  caller?: string,
): Database {
  return boundDatabase({ shared: db, signal, caller })
}

export function databaseForCaller<Database extends object>(db: Database, caller: string): Database {
  return boundDatabase({ shared: db, caller })
}

/** The callers of work that the service does by itself begin with this. */
const background = 'background '

/** Returns the database for work that the service does for `owner`. The database keeps a connection for such work. */
export function databaseForBackground<Database extends object>(db: Database, owner = ''): Database {
  return boundDatabase({ shared: db, caller: background + owner })
}

export function isBackground(caller: string | undefined): boolean {
  return caller?.startsWith(background) ?? false
}

function boundDatabase<Database extends object>(own: RequestBinding<Database>): Database {
  return new Proxy(own.shared, {
    get(shared, key) {
      if (key === binding) return own
      own.signal?.throwIfAborted()
      const value: unknown = Reflect.get(shared, key)
      return typeof value === 'function' ? value.bind(shared) : value
    },
  })
}

/** Returns what `databaseForRequest` or `databaseForCaller` bound to a database. Any other database is shared. */
export function bindingOf<Database extends object>(db: Database): RequestBinding<Database> {
  return (Reflect.get(db, binding) as RequestBinding<Database> | undefined) ?? { shared: db }
}

/** Aborts when all signals have aborted. After the work, call `release`, because a signal can live for hours. */
export function whenAll(signals: ReadonlySet<Signal | undefined>): {
  signal: Signal | undefined
  release: () => void
} {
  const [first] = signals
  if (signals.has(undefined)) return { signal: undefined, release: () => undefined }
  if (signals.size === 1) return { signal: first, release: () => undefined }
  const combined = new RequestSignal()
  const listening: (() => void)[] = []
  let left = signals.size
  for (const signal of signals) {
    const abort = () => {
      left -= 1
      if (left === 0) combined.abort(signal?.reason)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    listening.push(() => signal?.removeEventListener('abort', abort))
  }
  return { signal: combined, release: () => listening.forEach((stop) => void stop()) }
}
