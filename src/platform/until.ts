const bounds = Symbol('bounds')

/** The database that requests share, and the signal of one of them. */
export type Bounds<Database> = { shared: Database; signal?: AbortSignal | undefined }

/**
 * The database as one request sees it: when its signal aborts, no further statement begins, what is read under way is
 * stopped (`query`), and a transaction is undone. What is thrown then is the signal's reason. Reads that are joined with
 * those of other requests go on for them.
 */
export function databaseUntil<Database extends object>(db: Database, signal: AbortSignal): Database {
  const own: Bounds<Database> = { shared: db, signal }
  return new Proxy(db, {
    get(shared, key) {
      if (key === bounds) return own
      signal.throwIfAborted()
      const value: unknown = Reflect.get(shared, key)
      return typeof value === 'function' ? value.bind(shared) : value
    },
  })
}

/** What `databaseUntil` made a database of, or the database itself. */
export function boundsOf<Database extends object>(db: Database): Bounds<Database> {
  return (Reflect.get(db, bounds) as Bounds<Database> | undefined) ?? { shared: db }
}

/** Aborts when all of them have. Undefined where one is, and so never aborts. */
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
