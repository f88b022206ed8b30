import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type PersonalAccessToken, Prisma } from '../../generated/prisma/client.ts'
import { activePersonOf } from '../active-person.ts'
import { personalTokenColumns } from '../rows.ts'
import type { TokenOwner } from './create-personal-token.ts'

const keptDays = 30

/** Returns the valid tokens of a person, in order of creation. A person has at most 50. */
export function listPersonalTokens(
  db: Database,
  { workspaceID, userID }: TokenOwner,
): Promise<PersonalAccessToken[]> {
  return query<PersonalAccessToken>(
    db,
    Prisma.sql`
    SELECT ${personalTokenColumns} FROM personal_access_tokens p
    WHERE p.workspace_id = ${workspaceID} AND p.user_id = ${userID} AND p.expires_at > now()
      AND EXISTS (${activePersonOf('p')})
    ORDER BY p.id`,
  )
}

export async function revokePersonalToken(
  db: Database,
  { workspaceID, userID }: TokenOwner,
  id: string,
): Promise<boolean> {
  const { count } = await db.personalAccessToken.deleteMany({ where: { workspaceID, userID, id } })
  return count > 0
}

export async function sweepPersonalTokens(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM personal_access_tokens WHERE expires_at < now() - make_interval(days => ${keptDays})`
}
