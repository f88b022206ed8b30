import { z } from 'zod'
import { type Context, requireOperator } from '../../context.ts'
import { parseInput } from '../../input.ts'
import { email } from '../email.ts'
import { createSignInLink } from './sign-in-links.ts'

const inputSchema = z.object({ email })

/** Creates a sign-in link for the owner of an address. The operator must give it only to this owner. */
export async function createOperatorLink(ctx: Context, input: z.input<typeof inputSchema>): Promise<string> {
  requireOperator(ctx)
  const target = { ...parseInput(inputSchema, input), workspaceID: null, provesEmail: true }
  const path = await createSignInLink(ctx.db, target)
  return `${ctx.config.baseURL}${path}`
}
