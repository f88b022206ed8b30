import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { createSignInLink } from '../../accounts/links/sign-in-links.ts'
import { type Context, requireOperator } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { parseInput } from '../../input.ts'
import { isKnown } from './mail-sign-in-link.ts'

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
