import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createSignInLink, signInPath } from '../../accounts/links/sign-in-links.ts'
import { mailerOf, mailProblem } from '../../accounts/mail.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type AppError, conflictAt, notFound } from '../../errors.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { newSecret } from '../../platform/secrets/secrets.ts'
import { userColumns } from '../../users/rows.ts'
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
  const code = newSecret()
  const url = `${ctx.config.baseURL}${signInPath(code)}`
  const send = mailerOf(ctx.config)
  const invited = (db: Database) =>
    findInvited(db, { workspaceID, email, asNewPerson, hasMail: send !== undefined })
  if (send) {
    await invited(ctx.db)
    // An address that the mail server refuses gets no person. Until the mail is sent, no transaction waits for it.
    await send(invitationMail(email, await nameOf(ctx.db, workspaceID), url)).catch((cause) => {
      throw mailProblem(cause, 'email')
    })
  }
  const user = await inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspaceID)
    const user = await invited(tx)
    await createSignInLink(tx, { email, workspaceID, provesEmail: send !== undefined }, code)
    const [localPart = email] = email.split('@')
    return user ?? createUser(tx, { workspaceID, kind: 'person', name: name ?? localPart, email })
  })
  return { user, invitationURL: send ? null : url }
}

function invitationMail(to: string, workspace: string, url: string) {
  const text = `You are invited to the workspace ${workspace}. Open this link to join as ${to}:

${url}

The link works once and expires after seven days.
`
  return { to, subject: `Invitation to ${workspace}`, text }
}

type Invitee = {
  workspaceID: string
  email: string
  asNewPerson: boolean | null | undefined
  hasMail: boolean
}

/** Returns the person with the address who has not joined yet, or undefined. Throws if the address cannot be invited. */
async function findInvited(
  db: Database,
  { workspaceID, email, asNewPerson, hasMail }: Invitee,
): Promise<User | undefined> {
  const user = await findPerson(db, workspaceID, email)
  if (user?.accountID) throw alreadyJoined(hasMail)
  const deleted = user || asNewPerson ? undefined : await findPerson(db, workspaceID, email, 'deleted')
  if (deleted) throw deactivated(deleted)
  return user
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

async function nameOf(db: Database, id: string): Promise<string> {
  const workspace = await db.workspace.findUnique({ where: { id }, select: { name: true } })
  if (!workspace) throw notFound('workspace')
  return workspace.name
}

// Concurrent invitations to the same address wait for each other, so that they do not create two people.
async function lockWorkspace(tx: Database, id: string): Promise<void> {
  const [workspace] = await query(tx, Prisma.sql`SELECT FROM workspaces WHERE id = ${id} FOR NO KEY UPDATE`)
  if (!workspace) throw notFound('workspace')
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
