const bounds = Symbol('bounds')

export type Bounds<Database> = {
  shared: Database
  signal?: AbortSignal | undefined
  caller?: string | undefined
}

/**
 * Returns the database as one request sees it. When its signal aborts, no further statement begins, a read in flight
 * is stopped (`query`), a transaction is undone, and the signal's reason is thrown. Batched reads go on for the other
 * requests. What the request uses counts for the caller.
 */
export function databaseUntil<Database extends object>(
  db: Database,
  signal: AbortSignal,
  caller?: string,
): Database {
  return boundDatabase({ shared: db, signal, caller })
}

export function databaseOf<Database extends object>(db: Database, caller: string): Database {
  return boundDatabase({ shared: db, caller })
}

function boundDatabase<Database extends object>(own: Bounds<Database>): Database {
  return new Proxy(own.shared, {
    get(shared, key) {
      if (key === bounds) return own
      own.signal?.throwIfAborted()
      const value: unknown = Reflect.get(shared, key)
      return typeof value === 'function' ? value.bind(shared) : value
    },
  })
}

/** Returns what the database of a request or caller was made of. Any other database is itself the shared one. */
export function boundsOf<Database extends object>(db: Database): Bounds<Database> {
  return (Reflect.get(db, bounds) as Bounds<Database> | undefined) ?? { shared: db }
}

/** Returns a signal that aborts when all have aborted. If one is undefined, returns undefined. */
export function whenAll(signals: ReadonlySet<AbortSignal | undefined>): AbortSignal | undefined {
  const [first] = signals
  if (signals.has(undefined)) return undefined
  if (signals.size === 1) return first
  const joint = new AbortController()
  let left = signals.size
  for (const signal of signals) {
    const abort = () => {
      left -= 1
      if (left === 0) joint.abort(signal?.reason)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  }
  return joint.signal
}
