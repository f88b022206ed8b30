import { z } from 'zod'
import { createMailedLink } from '../../accounts/links/mailed-link.ts'
import { mailerOf, mailProblem } from '../../accounts/mail.ts'
import { requireSignInMethod } from '../../accounts/sign-in-methods.ts'
import { audited } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { conflict, conflictAt, invalidField, notFound } from '../../errors.ts'
import type { User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { isKnown, sendSignInLink } from '../../users/accounts/mail-sign-in-link.ts'

const inputSchema = z.object({ userID: id })

/** Mails a person a link that signs them in. No admin sees it, because it could sign in the admin as this person. */
export async function mailLinkTo(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const person = await accessAdministeredUser(ctx, userID)
  if (person.kind !== 'person') throw conflictAt('user_kind', 'userID', 'is not the user of a person')
  if (person.deletedAt) throw notFound('person')
  requireSignInMethod(ctx.config, 'link')
  if (!mailerOf(ctx.config))
    throw conflict(
      'mail_server_missing',
      'This service cannot send mail. Only the person who runs it (the operator) can create a sign-in link: npm run admin -- signin-link EMAIL',
    )
  const { email, workspaceID } = person
  if (email === null) throw invalidField('userID', 'is a person without an email address')
  if (!(await isKnown(ctx.db, email)))
    throw conflictAt('deactivated', 'userID', 'is a person whose account the operator has deactivated')
  const path = await audited(
    ctx,
    ({ db }) => createMailedLink(db, email),
    () => ({ action: 'mailSignInLink', workspaceID, object: person }),
  )
  const { name } = await ctx.db.workspace.findUniqueOrThrow({ where: { id: workspaceID } })
  const reason = `An admin of the workspace ${name} asked for it.`
  await sendSignInLink(ctx, { email, path, reason }).catch((cause) => {
    throw mailProblem(cause, 'userID')
  })
  return person
}
