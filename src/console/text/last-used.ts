import { dateAndMinute } from './time.ts'

/** Says when a webhook was last used. The service updates the time about every ten minutes. */
export function lastUsed(time: string | null | undefined): string {
  return time ? `Last used ${dateAndMinute(time)}` : 'Never used'
}
