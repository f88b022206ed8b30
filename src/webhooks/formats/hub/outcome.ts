import type { Operation, Settings, State } from '../format.ts'
import { shorten } from '../shorten.ts'

/** What a check, a run, a pipeline or a deployment says. */
export type Outcome = {
  word: string
  state: State
  /** Orders what happens at the same time: what is over is later than what runs. */
  rank: number
}

const ok = ['success', 'neutral', 'skipped']
const failed = ['failure', 'failed', 'error', 'timed_out', 'action_required', 'startup_failure']
const running =
  'requested created queued pending waiting waiting_for_resource preparing scheduled running in_progress manual blocked'.split(
    ' ',
  )

/**
 * Returns the outcome that a word means. Each has a state, because a message keeps the state that a later call leaves out.
 * What was cancelled is failed, but calls nobody.
 */
export function outcomeOf(word: string): Outcome {
  const rank = running.indexOf(word)
  if (rank >= 0) return { word: shown(word), state: 'running', rank }
  return { word: shown(word) || 'unknown', state: ok.includes(word) ? 'ok' : 'failed', rank: running.length }
}

/** Returns the state of an operation. Only a failure calls people, and a success if the webhook is set so. */
export function stateFields(
  word: string,
  { notifiesResolved }: Settings,
): Pick<Operation, 'state' | 'notify'> {
  const { state } = outcomeOf(word)
  if (failed.includes(word)) return { state }
  return { state, notify: state === 'ok' && notifiesResolved ? 'always' : 'never' }
}

function shown(word: string): string {
  return shorten(word.replaceAll('_', ' '), 50)
}
