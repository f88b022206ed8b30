import type { ExecutionResult } from 'graphql'
import type { Actor } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { type Distribution, histograms, shortTimes } from '../../platform/metrics.ts'
import { InvalidDocument } from '../errors.ts'
import type { Deadline } from '../limits/deadline.ts'

const types = ['query', 'mutation'] as const
/** `refused`: the whole operation failed, through the caller. `failed`: through the service. `partial`: some fields. */
const outcomes = ['ok', 'partial', 'refused', 'failed'] as const
const callers = ['session', 'app', 'token', 'operator'] as const

type Key = `${(typeof types)[number]} ${(typeof outcomes)[number]} ${(typeof callers)[number]}`

const durationOf = histograms(
  'skein_graphql_operation_duration_seconds',
  'The time of a query or mutation, with the wait for a slot.',
  { labelNames: ['type', 'outcome', 'caller'], buckets: shortTimes },
)
const durations = new Map<Key, Distribution>()
for (const type of types)
  for (const outcome of outcomes)
    for (const caller of callers)
      durations.set(`${type} ${outcome} ${caller}`, durationOf({ type, outcome, caller }))

/** Runs an operation, and observes how long it takes. */
export async function observeOperation(
  actor: Actor,
  deadline: Deadline,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const began = performance.now()
  const observe = (outcome: (typeof outcomes)[number]) => {
    const type = deadline.isMutation ? 'mutation' : 'query'
    durations.get(`${type} ${outcome} ${callerOf(actor)}`)?.observeSince(began)
  }
  try {
    const result = await run()
    observe(result.errors ? 'partial' : 'ok')
    return result
  } catch (error) {
    const isRefused = error instanceof InvalidDocument || (error instanceof AppError && error.status < 500)
    observe(isRefused ? 'refused' : 'failed')
    throw error
  }
}

function callerOf(actor: Actor): (typeof callers)[number] {
  if (actor.kind === 'operator') return 'operator'
  if (actor.session) return 'session'
  return actor.appID === undefined ? 'token' : 'app'
}
