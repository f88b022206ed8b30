type Query = (this: unknown, ...args: unknown[]) => unknown

let isOn = false

/** From now on, prints each statement without its values, and its duration, to standard error. */
export function printStatements(): void {
  isOn = true
}

/** Wraps the `query` of a client. The duration includes the wait for earlier statements of the connection. */
export function logStatements(query: Query): Query {
  return function (...args) {
    if (!isOn) return Reflect.apply(query, this, args)
    const began = performance.now()
    const print = () => process.stderr.write(`skein:sql ${lineOf(args[0], performance.now() - began)}\n`)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (...outcome: unknown[]) => {
        print()
        Reflect.apply(callback, undefined, outcome)
      }
    }
    const result = Reflect.apply(query, this, args)
    if (result instanceof Promise) result.then(print, print)
    return result
  }
}

function lineOf(statement: unknown, durationMs: number): string {
  const text = typeof statement === 'object' && statement ? Reflect.get(statement, 'text') : statement
  return `${durationMs.toFixed(1)} ms ${String(text).replace(/\s+/g, ' ').trim()}`
}
