import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createSignInLink } from '../../accounts/links/sign-in-links.ts'
import { mailerOf, mailProblem } from '../../accounts/mail.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type AppError, conflictAt, notFound } from '../../errors.ts'
import { Prisma, type User, type Workspace } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { userColumns } from '../../users/rows.ts'
import { workspaceColumns } from '../rows.ts'
import { createUser } from './create-user.ts'

const inputSchema = z.object({
  workspaceID: id,
  email,
  name: name.nullish(),
  asNewPerson: z.boolean().nullish(),
})

export type Invitation = { user: User; invitationURL: string | null }

/**
 * Invites the owner of an email address: creates the person, if necessary, and a link that works for seven days. Mails
 * the link if there is a mail server. Otherwise returns it, for an admin to pass on.
 */
export async function invitePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<Invitation> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { email, name, asNewPerson, ...rest } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const workspaceID = workspaceIDFor(ctx, rest.workspaceID)
  const send = mailerOf(ctx.config)
  const { user, path, workspace } = await inTransaction(ctx.db, async (tx) => {
    const workspace = await lockWorkspace(tx, workspaceID)
    const user = await findPerson(tx, workspaceID, email)
    if (user?.accountID) throw alreadyJoined(send !== undefined)
    const deleted = user || asNewPerson ? undefined : await findPerson(tx, workspaceID, email, 'deleted')
    if (deleted) throw deactivated(deleted)
    const [localPart = email] = email.split('@')
    const person = { workspaceID, kind: 'person', name: name ?? localPart, email } as const
    const provesEmail = send !== undefined
    const path = await createSignInLink(tx, { email, workspaceID, provesEmail })
    return { user: user ?? (await createUser(tx, person)), path, workspace: workspace.name }
  })
  const url = `${ctx.config.baseURL}${path}`
  if (!send) return { user, invitationURL: url }
  const text = `You are invited to the workspace ${workspace}. Open this link to join as ${email}:

${url}

The link works once and expires after seven days.
`
  await send({ to: email, subject: `Invitation to ${workspace}`, text }).catch((cause) => {
    throw mailProblem(cause, 'email')
  })
  return { user, invitationURL: null }
}

function alreadyJoined(hasMail: boolean): AppError {
  const way = hasMail
    ? 'request a link on the sign-in page'
    : 'ask whoever runs this service (the operator) for a sign-in link'
  return conflictAt(
    'already_joined',
    'email',
    `belongs to a person who has already joined the workspace. If the person cannot sign in, they can ${way}`,
  )
}

// The address may have passed to somebody else, who must not become the former person. Therefore the admin decides.
function deactivated({ name }: User): AppError {
  return conflictAt(
    'deactivated',
    'email',
    `is the address of ${name}, who was deactivated. Restore this person, or invite a new person`,
  )
}

// Concurrent invitations to the same address wait for each other, so that they do not create two people.
async function lockWorkspace(tx: Database, id: string): Promise<Workspace> {
  const [workspace] = await query<Workspace>(
    tx,
    Prisma.sql`SELECT ${workspaceColumns} FROM workspaces w WHERE id = ${id} FOR NO KEY UPDATE`,
  )
  if (!workspace) throw notFound('workspace')
  return workspace
}

/** Returns the person with the address. If several deleted people had it, returns the one who was deleted last. */
async function findPerson(
  tx: Database,
  workspaceID: string,
  email: string,
  state: 'active' | 'deleted' = 'active',
): Promise<User | undefined> {
  const isInState = state === 'active' ? Prisma.sql`deleted_at IS NULL` : Prisma.sql`deleted_at IS NOT NULL`
  const [person] = await query<User>(
    tx,
    Prisma.sql`
    SELECT ${userColumns} FROM users u
    WHERE workspace_id = ${workspaceID} AND ${isInState} AND email IS NOT NULL AND lower(email) = lower(${email})
    ORDER BY deleted_at DESC, id LIMIT 1`,
  )
  return person
}
