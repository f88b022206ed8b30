import { dateAndMinute } from './time.ts'

/** Says when a webhook was last used. While a webhook is in use, the service updates the time every ten minutes. */
export function lastUsed(time: string | null | undefined): string {
  return time ? `Last used ${dateAndMinute(time)}` : 'Never used'
}
