import { type InstallationKey, issueAccessToken } from '../apps/tokens/access-tokens.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { OneTimeCodes } from '../platform/secrets/one-time-codes.ts'
import type { Starter } from './create-starter-workspace.ts'

export const linkMinutes = 10

const codes = new OneTimeCodes<InstallationKey>(linkMinutes * 60_000)

/** Creates a link that opens the explorer once with an access token of the starter app. */
export function signInLink({
  baseURL,
  workspaceID,
  appID,
}: Pick<Starter, 'baseURL'> & InstallationKey): string {
  return `${baseURL}/explorer?code=${codes.create({ workspaceID, appID })}`
}

export async function signInWith(
  { db, config }: Pick<Context, 'db' | 'config'>,
  code: string,
): Promise<InstallationKey & { token: string }> {
  const ttlSeconds = config.tokenTTLSeconds
  const installed = codes.redeem(code)
  const issued = installed && (await issueAccessToken(db, { ...installed, ttlSeconds }))
  if (!issued) {
    const message = 'This link has been used or has expired. Run "npm run admin -- welcome" to get a new one.'
    throw new AppError('forbidden', message)
  }
  return { ...installed, token: issued.token }
}
