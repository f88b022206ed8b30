import type { Database } from '../../database/database.ts'
import { conflict } from '../../errors.ts'
import type { PersonalAccessToken } from '../../generated/prisma/client.ts'
import { listPersonalTokens } from '../../users/tokens/personal-tokens.ts'
import { type AccountPerson, peopleOfAccount } from '../../workspaces/users/people-of-account.ts'

export type AccountToken = { person: AccountPerson; token: PersonalAccessToken }

export async function tokensOf(db: Database, people: readonly AccountPerson[]): Promise<AccountToken[]> {
  const lists = people.map(async (person) => {
    const tokens = await listPersonalTokens(db, person)
    return tokens.map((token) => ({ person, token }))
  })
  return (await Promise.all(lists)).flat()
}

/** Returns the ID of the newest token. IDs are in order of creation. */
export function latestOf(tokens: readonly AccountToken[]): string {
  return (
    tokens
      .map(({ token }) => token.id)
      .sort()
      .at(-1) ?? 'none'
  )
}

/** Throws if a token was created after the form was shown, because a reload of the page sends the form again. */
export async function requireLatest(db: Database, accountID: string, latest: string | undefined) {
  if (latest === undefined) return
  const tokens = await tokensOf(db, await peopleOfAccount(db, accountID))
  if (latestOf(tokens) === latest) return
  throw conflict(
    'concurrent_change',
    'Your tokens have changed. To create another token, send the form again.',
  )
}
