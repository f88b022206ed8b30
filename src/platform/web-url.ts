import type { z } from 'zod'
import { canParseURL } from './can-parse-url.ts'

export const portRule = 'must not have the port 0, because no server can listen on it'

/**
 * Reports what is wrong with an absolute http or https URL, and ends the checks of the schema. `new URL` alone accepts
 * `https:host` and the port 0.
 */
export function refuseWebURL(value: string, ctx: z.RefinementCtx): void {
  const problem = problemOf(value)
  if (problem) ctx.addIssue({ code: 'custom', message: problem, continue: false })
}

function problemOf(value: string): string | undefined {
  if (!/^https?:\/\/[^\s/\\?#]\S*$/i.test(value) || !canParseURL(value))
    return 'must be an absolute http or https URL without spaces, such as https://example.com'
  // `new URL` does not show that an empty user name was given, as in https://@example.com.
  if (/^[^/]*\/\/[^/\\?#]*@/.test(value)) return 'must not have a user name or password'
  return new URL(value).port === '0' ? portRule : undefined
}
