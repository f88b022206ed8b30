const bounds = Symbol('bounds')

/** The database that requests share, with the signal of one of them, and the key of its caller. */
export type Bounds<Database> = {
  shared: Database
  signal?: AbortSignal | undefined
  caller?: string | undefined
}

/**
 * The database as one request sees it: when its signal aborts, no further statement begins, what is read under way is
 * stopped (`query`), and a transaction is undone. What is thrown then is the signal's reason. Reads that are joined with
 * those of other requests go on for them. What the request takes of the database counts for the caller.
 */
export function databaseUntil<Database extends object>(
  db: Database,
  signal: AbortSignal,
  caller?: string,
): Database {
  return boundDatabase({ shared: db, signal, caller })
}

/** The database as one caller sees it, without an end. */
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

/** What a database of one request or caller was made of, or the database itself. */
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
