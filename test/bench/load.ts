import { createHistogram } from 'node:perf_hooks'
import { Connection } from './connection.ts'
import type { Cost } from './meter.ts'

const problemsKept = 3

/** A request, and the check of its response. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string | AsyncIterable<Uint8Array>
  /** The length of a response that is not JSON. */
  bytes?: number
  /** Throws for an unexpected response. Returns whether something was created. */
  check: (answer: unknown) => 'made' | 'answered'
}

/** Times are in milliseconds. The cost and the rate cover the same period. */
export type Run = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  requests: number
  errors: number
  /** The first few errors. */
  problems: string[]
  /** The number of objects that all requests created, including those of the warm-up. */
  made: number
  /** How much longer the delays were at the end than at the beginning, in milliseconds. Only an open loop has it. */
  growth?: number
  cost?: Cost
}

/** Returns the processor time of the service and the database for each request, in milliseconds. NaN if it is not known. */
export function processorMs({ cost, requests }: Run): number {
  if (cost?.databaseSeconds === undefined) return Number.NaN
  return ((cost.serviceSeconds + cost.databaseSeconds) / requests) * 1000
}

export type Load = {
  /** Connections are distributed evenly over these URLs. */
  urls: string[]
  connections: number
  warmUpSeconds: number
  seconds: number
  /** Returns undefined if nothing is left to do. This ends the connection. */
  nextCall: (connection: number) => Call | undefined
  /** Called after the warm-up. The returned function is called at the end. */
  measure?: () => () => Cost
}

/**
 * Runs a closed loop: each connection has one request in flight. A request that is partly outside of the measured
 * period counts in proportion, so that slow requests count correctly in a short run.
 */
export async function runLoad(load: Load): Promise<Run> {
  const times = createHistogram()
  const run = { made: 0, requests: 0, errors: 0, problems: [] as string[] }
  const begin = performance.now() + load.warmUpSeconds * 1000
  const end = begin + load.seconds * 1000
  const connect = async (number: number) => {
    const client = new Connection(load.urls[number % load.urls.length] ?? '')
    for (let sent = performance.now(); sent < end; ) {
      const call = load.nextCall(number)
      if (!call) break
      const problem = await send(client, call).then(
        (outcome) => void (outcome === 'made' && run.made++),
        (error: unknown) => String(error),
      )
      const answered = performance.now()
      if (problem !== undefined) {
        run.errors++
        if (run.problems.length < problemsKept) run.problems.push(problem)
      } else if (answered > begin) {
        run.requests += (Math.min(answered, end) - Math.max(sent, begin)) / (answered - sent)
        times.record(Math.max(1, Math.round((answered - sent) * 1e6)))
      }
      sent = answered
    }
    client.close()
  }
  const cost = costBetween(begin, end, load.measure)
  await Promise.all(Array.from({ length: load.connections }, (_, number) => connect(number)))
  const [p50, p95, p99] = [50, 95, 99].map((part) => times.percentile(part) / 1e6)
  return { ...run, perSecond: run.requests / load.seconds, p50, p95, p99, cost: await cost } as Run
}

async function costBetween(begin: number, end: number, measure: Load['measure']): Promise<Cost | undefined> {
  if (!measure) return undefined
  await until(begin)
  const stop = measure()
  await until(end)
  return stop()
}

function until(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time - performance.now()))
}

async function send(connection: Connection, call: Call): Promise<'made' | 'answered'> {
  const { status, body, bytes } = await connection.send(call)
  if (status !== 200) throw new Error(`status ${status}: ${body.slice(0, 300)}`)
  if (call.bytes === undefined) return call.check(JSON.parse(body))
  if (bytes !== call.bytes) throw new Error(`${bytes} bytes instead of ${call.bytes}`)
  return call.check(undefined)
}
