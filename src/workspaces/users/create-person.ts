import { z } from 'zod'
import { email } from '../../accounts/email.ts'
import { type Context, requireOperator } from '../../context.ts'
import type { User } from '../../generated/prisma/client.ts'
import { id, name, parseInput } from '../../input.ts'
import { createUser } from './create-user.ts'

const inputSchema = z.object({ workspaceID: id, name, email: email.nullish() })

export async function createPerson(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  requireOperator(ctx)
  return createUser(ctx.db, { kind: 'person', ...parseInput(inputSchema, input) })
}
