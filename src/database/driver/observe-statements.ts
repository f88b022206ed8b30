import { counters, histogram } from '../../platform/metrics.ts'
import { endSpan, startSpan } from '../../platform/tracing.ts'

type Query = (this: unknown, ...args: unknown[]) => unknown

const durations = histogram(
  'skein_db_statement_duration_seconds',
  'The time of a statement, with the wait for earlier statements of its connection.',
)
const errors = counters(
  'skein_db_errors_total',
  'The statements that failed, by the class of the SQLSTATE.',
  ['class'],
)

let isPrinting = false

/** A statement that is slow each time is logged once in this time. */
const sameAgainMs = 60_000
const shownCharacters = 500

type SlowStatement = { ms: number; statement: string; notLogged: number }
let onSlow = { overMs: Number.POSITIVE_INFINITY, report: (_statement: SlowStatement) => {} }
const slow = new Map<string, { loggedAt: number; notLogged: number }>()

/** From now on, reports each statement without its values that takes longer than `overMs`. 0 ends that. */
export function reportSlowStatements(overMs: number, report: (statement: SlowStatement) => void): void {
  slow.clear()
  onSlow = { overMs: overMs || Number.POSITIVE_INFINITY, report }
}

/** From now on, prints each statement without its values, and its duration, to standard error. */
export function printStatements(): void {
  isPrinting = true
}

/** Wraps the `query` of a client, and observes each statement. */
export function observeStatements(query: Query): Query {
  return function (...args) {
    const began = performance.now()
    const span = startSpan('statement')
    span?.setAttribute('db.query.text', textOf(args[0]))
    const end = (error?: unknown) => {
      const ms = performance.now() - began
      durations.observe(ms / 1000)
      if (ms > onSlow.overMs) noteSlow(textOf(args[0]), ms)
      if (error) errors({ class: classOf(error) }).add()
      endSpan(span, error)
      if (isPrinting) process.stderr.write(`skein:sql ${ms.toFixed(1)} ms ${textOf(args[0])}\n`)
    }
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (...outcome: unknown[]) => {
        end(outcome[0])
        Reflect.apply(callback, undefined, outcome)
      }
    }
    const result = Reflect.apply(query, this, args)
    if (result instanceof Promise)
      result.then(
        () => end(),
        (error) => end(error),
      )
    return result
  }
}

/** Returns the first two letters of the SQLSTATE, or `connection` if the server has sent none. */
function classOf(error: unknown): string {
  const code = String(Reflect.get(Object(error), 'code'))
  return /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'connection'
}

function noteSlow(text: string, ms: number): void {
  const { loggedAt, notLogged } = slow.get(text) ?? { loggedAt: Number.NEGATIVE_INFINITY, notLogged: 0 }
  const now = performance.now()
  if (now - loggedAt < sameAgainMs) return void slow.set(text, { loggedAt, notLogged: notLogged + 1 })
  slow.set(text, { loggedAt: now, notLogged: 0 })
  onSlow.report({ ms: Math.round(ms), statement: text.slice(0, shownCharacters), notLogged })
}

function textOf(statement: unknown): string {
  const text = typeof statement === 'object' && statement ? Reflect.get(statement, 'text') : statement
  return String(text).replace(/\s+/g, ' ').trim()
}
