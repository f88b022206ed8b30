import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { noteEvents } from '../../events/note-events.ts'
import type { User } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { addToGeneralGroup } from '../../groups/general-group.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { insertUser, type UserKind } from '../../users/write-user.ts'

export function createUser(
  db: Database,
  user: { workspaceID: string; kind: UserKind; name: string; email?: string | null | undefined },
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const added = await insertUser(tx, user)
    await addToGeneralGroup(tx, added)
    await noteEvents(tx, user.workspaceID, [{ type: 'user.created', objectID: added.id }])
    return added
  })
}

const inputSchema = z.object({ workspaceID: id, name, email: email.nullish() })

export async function createPerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { workspaceID, ...person } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const added = { kind: 'person' as const, workspaceID: workspaceIDFor(ctx, workspaceID), ...person }
  return audited(
    ctx,
    ({ db }) => createUser(db, added),
    (object) => ({ action: 'createUser', workspaceID: object.workspaceID, object }),
  )
}
