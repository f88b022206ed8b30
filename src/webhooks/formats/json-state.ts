import type { State } from './format.ts'
import { type Fields, fieldsOf, textOf } from './json-values.ts'

const ok =
  'ok okay success successful succeeded pass passed up online healthy normal resolved recovered recovery fixed'
const failed =
  'fail failed failure error errored down offline unhealthy critical fatal alarm alerting firing triggered problem broken crashed'
const running = 'running start started starting pending queued building deploying processing in-progress'
const words = new Map<string, State | undefined>([
  ...ok.split(' ').map((word) => [word, 'ok'] as const),
  ...failed.split(' ').map((word) => [word, 'failed'] as const),
  ...running.split(' ').map((word) => [word, 'running'] as const),
  ['info', undefined], // it says nothing
])

type Found = { state: State | undefined; fields: string[] }

/** Returns the state that a usual word in a body means, and the fields that need not be shown then. */
export function stateOfBody(body: Fields): Found | undefined {
  for (const name of ['status', 'state', 'type']) {
    const word = textOf(body[name])
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, '-')
    if (words.has(word)) return { state: words.get(word), fields: [name] }
  }
  return stateOfUptimeKuma(body)
}

// Uptime Kuma sends 0 for down and 1 for up. Its other numbers mean no state.
function stateOfUptimeKuma({ heartbeat }: Fields): Found | undefined {
  const { status } = fieldsOf(heartbeat)
  if (status !== 0 && status !== 1) return undefined
  return { state: status === 1 ? 'ok' : 'failed', fields: [] }
}
