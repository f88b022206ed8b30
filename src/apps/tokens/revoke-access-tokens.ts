import { z } from 'zod'
import { type Context, requireOperator } from '../../context.ts'
import { id, parseInput } from '../../input.ts'
import { accessApp } from '../access.ts'
import { deleteAccessTokens } from './access-tokens.ts'

const inputSchema = z.object({ workspaceID: id, appID: id })

export async function revokeAccessTokens(ctx: Context, input: z.input<typeof inputSchema>): Promise<number> {
  requireOperator(ctx)
  const { workspaceID, appID } = parseInput(inputSchema, input)
  await accessApp(ctx, appID)
  return deleteAccessTokens(ctx.db, { workspaceID, appID })
}
