import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createSignInLink, deleteInvitations, signInPath } from '../../accounts/links/sign-in-links.ts'
import { mailerOf, mailProblem } from '../../accounts/mail.ts'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { workspaceIDFor } from '../../groups/access.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, name, parseInput } from '../../input.ts'
import { newSecret } from '../../platform/secrets/secrets.ts'
import { createUser } from '../users/create-user.ts'
import { restoreUser } from '../users/restore-user.ts'
import { findInvitee } from './find-invitee.ts'

export const inviteeSchema = z.object({ email, name: name.nullish(), asNewPerson: z.boolean().nullish() })
const inputSchema = inviteeSchema.extend({ workspaceID: id })

export type Invited = { user: User; invitationURL: string | null }

/**
 * Invites the owner of an email address: creates the person, if necessary, and a link that works for seven days. Mails
 * the link if there is a mail server. Otherwise returns it, for an admin to pass on.
 */
export async function invitePerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<Invited> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { workspaceID, ...invitee } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  return invite(ctx, workspaceIDFor(ctx, workspaceID), invitee)
}

/** The caller must have checked that the actor can invite people. */
export async function invite(
  ctx: Context,
  workspaceID: string,
  { email, name, asNewPerson }: z.output<typeof inviteeSchema>,
): Promise<Invited> {
  const code = newSecret()
  const url = `${ctx.config.baseURL}${signInPath(code)}`
  const send = mailerOf(ctx.config)
  const provesEmail = send !== undefined
  const invitee = { workspaceID, email, asNewPerson, config: ctx.config }
  if (send) {
    await findInvitee(ctx.db, invitee)
    // An address that the mail server refuses gets no person. Until the mail is sent, no transaction waits for it.
    await send(invitationMail(email, await nameOf(ctx.db, workspaceID), url)).catch((cause) => {
      throw mailProblem(cause, 'email')
    })
  }
  const inviterID = ctx.actor.kind === 'user' ? ctx.actor.userID : null
  const user = await inTransaction(ctx.db, async (tx) => {
    await lockInvitations(tx, workspaceID)
    const found = await findInvitee(tx, invitee)
    await deleteInvitations(tx, { workspaceID, email, userID: found?.id })
    const user = await personFor(tx, found, { workspaceID, email, name })
    await createSignInLink(tx, { email, workspaceID, userID: user.id, inviterID, provesEmail }, code)
    await record({ ...ctx, db: tx }, { action: 'inviteUser', workspaceID, object: user })
    return user
  })
  return { user, invitationURL: send ? null : url }
}

/** Returns the person who was found, restored if they are deleted, or a new person. */
async function personFor(
  tx: Database,
  found: User | undefined,
  { name, ...person }: { workspaceID: string; email: string; name: string | null | undefined },
): Promise<User> {
  if (found) return found.deletedAt ? ((await restoreUser(tx, found)) ?? found) : found
  const [localPart = person.email] = person.email.split('@')
  return createUser(tx, { ...person, kind: 'person', name: name ?? localPart })
}

function invitationMail(to: string, workspace: string, url: string) {
  const body = {
    text: `You are invited to the workspace ${workspace}. You join as ${to}.`,
    link: { label: 'Join', url },
    note: 'The link works once and expires after seven days. If you do not know the workspace, ignore this mail.',
  }
  return { to, subject: `Invitation to ${workspace}`, body }
}

async function nameOf(db: Database, id: string): Promise<string> {
  const workspace = await db.workspace.findUnique({ where: { id }, select: { name: true } })
  if (!workspace) throw notFound('workspace')
  return workspace.name
}

/**
 * Locks the invitations to a workspace. Concurrent invitations and revocations wait for each other. Otherwise two
 * invitations could create two people, and an invitation could miss that another one was revoked.
 */
export async function lockInvitations(tx: Database, workspaceID: string): Promise<void> {
  const [workspace] = await query(
    tx,
    Prisma.sql`SELECT FROM workspaces WHERE id = ${workspaceID} FOR NO KEY UPDATE`,
  )
  if (!workspace) throw notFound('workspace')
}
