import type { Config } from '../../config.ts'
import type { Policy } from './rate-limits.ts'

/** Limits the uploads of one user, by webhook and by ticket. */
export function uploadPolicy({ uploadRatePerMinute }: Config): Policy {
  return { name: 'upload', quota: uploadRatePerMinute }
}
