import type { FastifyReply } from 'fastify'
import type { Charge, RateLimits } from '../../http/rate-limits/rate-limits.ts'
import { setRateLimitHeaders, spend } from '../../http/rate-limits/spend.ts'
import type { Operation } from './format.ts'

/**
 * Charges a call for its operations. The request itself has paid for one of them, as at the plain URL. Returns a function
 * that refunds the others.
 */
export async function chargeOperations(
  limits: RateLimits,
  reply: FastifyReply,
  payer: Omit<Charge, 'points'>,
  operations: readonly Operation[],
): Promise<() => Promise<void>> {
  const points = pointsOf(operations) - 1
  if (points <= 0) return async () => {}
  const refund = await spend(limits, reply, [{ ...payer, points }])
  return async () => {
    await refund()
    const { balances } = await limits.chargeAll([{ ...payer, points: 0 }])
    setRateLimitHeaders(reply, balances)
  }
}

// Most operations that only update find nothing.
function pointsOf(operations: readonly Operation[]): number {
  const updates = operations.filter(({ onlyUpdates }) => onlyUpdates).length
  return operations.length - updates + Math.ceil(updates / 25)
}
