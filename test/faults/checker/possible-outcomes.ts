import type { OrderedCall } from '../history.ts'

type Thread = {
  state: string | null
  isClosed: boolean
  /** The highest version that closed or reopened the thread. */
  closingVersion: number
  messages: { [id: string]: Pick<OrderedCall, 'version' | 'state'> }
}
type Step = { thread: Thread; pending: OrderedCall[] }

const noThread: Thread = { state: null, isClosed: false, closingVersion: 0, messages: {} }

/**
 * Returns what the thread of a key can be after the calls, as the documentation of webhooks says. Calls at the same time
 * can have any order.
 */
export function possibleOutcomes(calls: OrderedCall[]): string[] {
  const outcomes = new Set<string>()
  const known = new Set<string>()
  const steps: Step[] = [{ thread: noThread, pending: calls }]
  for (const step of steps) {
    const { thread, pending } = step
    if (pending.length === 0) outcomes.add(outcomeText(thread.state, thread.isClosed))
    for (const next of stepsAfter(step)) {
      const key = JSON.stringify([next.thread, next.pending.map((call) => calls.indexOf(call))])
      if (!known.has(key)) steps.push(next)
      known.add(key)
    }
  }
  return [...outcomes]
}

export function outcomeText(state: string | null, isClosed: boolean): string {
  return `${state} and ${isClosed ? 'closed' : 'open'}`
}

/** Applies each call that can be the next. A repeated call can be applied again later. */
function stepsAfter({ thread, pending }: Step): Step[] {
  const firstEnd = Math.min(...pending.map(({ endedAt }) => endedAt))
  const candidates = pending.filter(({ startedAt }) => startedAt <= firstEnd)
  return candidates.flatMap((call) => {
    const after = applied(thread, call)
    const others = pending.filter((one) => one !== call)
    return (call.isRepeated ? [others, pending] : [others]).map((left) => ({ thread: after, pending: left }))
  })
}

function applied(thread: Thread, call: OrderedCall): Thread {
  const { messageID, version, state, threadState, threadClosed } = call
  const message = thread.messages[messageID]
  if (message && version < message.version) return thread
  const isNew = message === undefined
  // A call with the same version is the same call again.
  const isChange = isNew || version > message.version
  const alarms = isChange && state !== message?.state && (state === 'failed' || state === 'running')
  const reopens = threadClosed === undefined && (isNew || alarms)
  const decides = typeof threadClosed === 'boolean' && version >= thread.closingVersion
  return {
    state: threadState ?? (isChange ? state : null) ?? thread.state,
    isClosed: decides ? threadClosed : thread.isClosed && !reopens,
    closingVersion: decides ? version : thread.closingVersion,
    messages: { ...thread.messages, [messageID]: { version, state } },
  }
}
