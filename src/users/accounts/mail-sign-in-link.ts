import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createMailedLink } from '../../accounts/links/mailed-link.ts'
import { createSignInLink } from '../../accounts/links/sign-in-links.ts'
import { mailerOf } from '../../accounts/mail.ts'
import { requireSignInMethod } from '../../accounts/sign-in-methods.ts'
import { audited } from '../../audit/record.ts'
import type { Config } from '../../config.ts'
import { type Context, requireOperator } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'

type Mailing = { db: Database; config: Config }

/** Mails a sign-in link to an address that belongs to an account or to a person. Does nothing for other addresses. */
export async function mailSignInLink(mailing: Mailing, email: string): Promise<void> {
  requireSignInMethod(mailing.config, 'link')
  if (!(await isKnown(mailing.db, email))) return
  const path = await createMailedLink(mailing.db, email)
  await sendSignInLink(mailing, { email, path, reason: 'If you did not ask for it, ignore this mail.' })
}

/** Mails a sign-in link to its owner. `reason` says who asked for it. Does nothing without a mail server. */
export async function sendSignInLink(
  { config }: Pick<Mailing, 'config'>,
  { email, path, reason }: { email: string; path: string; reason: string },
): Promise<void> {
  const send = mailerOf(config)
  if (!send) return
  await send({
    to: email,
    subject: 'Sign in to Skein',
    body: {
      text: `Sign in to Skein as ${email}.`,
      link: { label: 'Sign in', url: `${config.baseURL}${path}` },
      note: `The link works once and expires after an hour. ${reason}`,
    },
  })
}

/** Returns whether an address belongs to an active account, or to a person who has no account yet. */
export async function isKnown(db: Database, email: string): Promise<boolean> {
  const found = await query(
    db,
    Prisma.sql`
    SELECT FROM accounts WHERE email = lower(${email}) AND deactivated_at IS NULL
    UNION ALL (
      SELECT FROM users
      WHERE lower(email) = lower(${email}) AND account_id IS NULL AND kind = 'person' AND deleted_at IS NULL LIMIT 1)
    LIMIT 1`,
  )
  return found.length > 0
}

const inputSchema = z.object({ email })

/** Creates a sign-in link for the owner of an address. The operator must give it only to this owner. */
export async function createOperatorLink(ctx: Context, input: z.input<typeof inputSchema>): Promise<string> {
  requireOperator(ctx)
  requireSignInMethod(ctx.config, 'link')
  const { email } = parseInput(inputSchema, input)
  // Otherwise a mistyped address would get an account that belongs to no workspace.
  if (!(await isKnown(ctx.db, email)))
    throw new AppError(
      'not_found',
      `No person and no active account has the email address ${email}. Check it, invite the person, or reactivate the account.`,
    )
  const account = await ctx.db.account.findUnique({
    where: { email: email.toLowerCase() },
    select: { id: true },
  })
  const path = await audited(
    ctx,
    ({ db }) => createSignInLink(db, { email, workspaceID: null, provesEmail: true }),
    () => ({ action: 'createSignInLink', object: { id: account?.id ?? null, name: email } }),
  )
  return `${ctx.config.baseURL}${path}`
}
