import { sweepSignInLinks } from '../accounts/links/sign-in-links.ts'
import { sweepSessions } from '../accounts/sessions/session.ts'
import type { AppParts } from '../app.ts'
import { sweepGrants } from '../apps/grants/end-grant.ts'
import { sweepAccessTokens } from '../apps/tokens/access-tokens.ts'
import { sweepAudit } from '../audit/sweep-audit.ts'
import type { Backups } from '../backup/backups.ts'
import { sweepEvents } from '../events/sweep-events.ts'
import { sweepEndpoints } from '../feeds/sweep-feeds.ts'
import { sweepFiles } from '../files/sweep-files.ts'
import { warnOf } from '../http/outages.ts'
import { isInUse } from '../messages/access.ts'
import { sweepCalls } from '../messages/webhook-calls/sweep-calls.ts'
import { counters, gauge } from '../platform/metrics.ts'
import { sweepPersonalTokens } from '../users/tokens/personal-tokens.ts'

const minuteMs = 60 * 1000
const sweepEveryMs = 60 * minuteMs
/** Soon, because a process may be restarted every hour. Spread, because several processes may start at the same time. */
const firstSweepMs = { from: minuteMs, to: 6 * minuteMs }

const removed = counters(
  'skein_sweep_removed_total',
  'The rows that were removed because they are no longer needed.',
  ['kind'],
)
const succeededAt = gauge(
  'skein_sweep_last_success_timestamp_seconds',
  'When the last sweep of the kind ended. The start of the process counts as one.',
  ['kind'],
)

type Sweep = () => Promise<number>

/**
 * Removes what is no longer needed, some minutes after the start and every hour. Returns a function that stops this, and
 * waits for a sweep in flight.
 */
export function startSweeping(parts: AppParts, backups?: Pick<Backups, 'deleteFiles'>): () => Promise<void> {
  const { db, storage, config, log } = parts
  const deleteFiles = () => sweepFiles({ db, storage }, isInUse)
  const sweeps: Record<string, Sweep> = {
    access_tokens: () => sweepAccessTokens(db),
    sessions: () => sweepSessions(db, config.sessionMaxDays),
    audit_entries: () => sweepAudit(db),
    sign_in_links: () => sweepSignInLinks(db),
    grants: () => sweepGrants(db),
    personal_tokens: () => sweepPersonalTokens(db),
    files: () => (backups ? backups.deleteFiles(deleteFiles) : deleteFiles()),
    events: () => sweepEvents(db, config.eventTTLDays),
    deliveries: () => sweepEndpoints(db, config.eventTTLDays),
    webhook_calls: () => sweepCalls(db),
  }
  const all = Object.entries(sweeps).map(([kind, sweep]) => observed(kind, sweep))
  const sweepAll = () => Promise.all(all.map((sweep) => sweep()))
  return runPeriodically(sweepEveryMs, sweepAll, warnOf(log, 'the sweep failed'))
}

function observed(kind: string, sweep: Sweep): () => Promise<void> {
  const rows = removed({ kind })
  const success = succeededAt.labels({ kind })
  success.setToCurrentTime()
  return async () => {
    rows.add(await sweep())
    success.setToCurrentTime()
  }
}

/** Runs work periodically, without overlap. Returns a function that stops it and waits for a run in flight. */
function runPeriodically(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = async () => {
    await work().catch(onError)
    running = undefined
  }
  const start = () => {
    running ??= run()
  }
  const { from, to } = firstSweepMs
  const first = setTimeout(start, from + Math.random() * (to - from)).unref()
  const timer = setInterval(start, everyMs).unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    await running
  }
}
