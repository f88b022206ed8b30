import { cachedPerConfig } from '../config.ts'
import type { AuditAction } from './actions.ts'
import { record, type SignInMeans, type Unidentified } from './record.ts'

/** Callers who are refused must not be able to fill the database. */
const maxPerMinute = 600
const minuteMs = 60_000

/** What this process has recorded in the minute that began at `since`. */
const recordedBy = cachedPerConfig(() => ({ since: performance.now(), keys: new Set<string>() }))

type Refusal = {
  action: Extract<AuditAction, 'signIn' | 'useOperatorToken'>
  means: SignInMeans | 'operatorToken'
  accountID?: string | undefined
}

/**
 * Records a refusal, at most once a minute for each account and address, and not more than 600 times a minute. Returns
 * whether it was recorded.
 */
export async function recordRefusal(
  ctx: Unidentified,
  { action, means, accountID }: Refusal,
): Promise<boolean> {
  const recorded = recordedBy(ctx.config)
  if (performance.now() - recorded.since >= minuteMs) {
    recorded.since = performance.now()
    recorded.keys.clear()
  }
  const key = [action, accountID, ctx.source?.network].join(' ')
  if (recorded.keys.has(key) || recorded.keys.size >= maxPerMinute) return false
  recorded.keys.add(key)
  const actor = { kind: 'nobody' as const, means }
  const object = accountID === undefined ? {} : { object: { id: accountID } }
  await record({ ...ctx, actor }, { action, outcome: 'refused', ...object })
  return true
}
