import type { Config } from '../../config.ts'
import type { Policy } from './rate-limits.ts'

/** Limits all uploads of one user, through webhooks and with upload tickets. */
export function uploadPolicy({ uploadRatePerMinute }: Config): Policy {
  return { name: 'upload', quota: uploadRatePerMinute }
}
