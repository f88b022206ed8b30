import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createSignInLink } from '../../accounts/links/sign-in-links.ts'
import { mailerOf } from '../../accounts/mail.ts'
import type { Config } from '../../config.ts'
import { type Context, requireOperator } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { AppError } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { parseInput } from '../../input.ts'

/** Mails a sign-in link to an address that belongs to an account or to a person. Does nothing for other addresses. */
export async function mailSignInLink(
  { db, config }: { db: Database; config: Config },
  email: string,
): Promise<void> {
  const send = mailerOf(config)
  if (!send || !(await isKnown(db, email))) return
  const path = await createSignInLink(db, { email, workspaceID: null, provesEmail: true })
  await send({
    to: email,
    subject: 'Sign in to Skein',
    text: `Open this link to sign in to Skein as ${email}:

${config.baseURL}${path}

The link works once and expires after an hour. If you did not ask for it, ignore this mail.
`,
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
  const { email } = parseInput(inputSchema, input)
  // Otherwise a mistyped address would get an account that belongs to no workspace.
  if (!(await isKnown(ctx.db, email)))
    throw new AppError(
      'not_found',
      `No person and no active account has the email address ${email}. Check it, invite the person, or reactivate the account.`,
    )
  const path = await createSignInLink(ctx.db, { email, workspaceID: null, provesEmail: true })
  return `${ctx.config.baseURL}${path}`
}
