import { z } from 'zod'
import { type Context, requireOperator } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { execute } from '../database/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { id, parseInput, text } from '../input.ts'
import { record } from './record.ts'

const inputSchema = z.object({
  ids: z.array(id).max(100, 'must have at most 100 IDs'),
  email: text(254).nullish(),
})

/**
 * Erases names, and the addresses and browsers of actors, from the entries about a person. Returns how many entries it
 * changed. The database requires the entry that says so.
 */
export function eraseAuditNames(ctx: Context, input: z.input<typeof inputSchema>): Promise<number> {
  requireOperator(ctx)
  const { ids, email } = parseInput(inputSchema, input)
  return inTransaction(ctx.db, async (db) => {
    await record({ ...ctx, db }, { action: 'eraseAuditNames', details: { ids } })
    return execute(db, erasure(ids, email ?? null))
  })
}

function erasure(ids: string[], email: string | null): Prisma.Sql {
  const acted = Prisma.sql`(actor_id = ANY (${ids}::text[]) OR lower(actor_name) = lower(${email}::text)
    OR actor_kind = 'nobody' AND object_id = ANY (${ids}::text[])) IS TRUE`
  const changed = Prisma.sql`(object_id = ANY (${ids}::text[]) OR lower(object_name) = lower(${email}::text)) IS TRUE`
  return Prisma.sql`
    UPDATE audit_entries SET
      actor_name = CASE WHEN ${acted} THEN NULL ELSE actor_name END,
      address = CASE WHEN ${acted} THEN NULL ELSE address END,
      user_agent = CASE WHEN ${acted} THEN NULL ELSE user_agent END,
      object_name = CASE WHEN ${changed} THEN NULL ELSE object_name END
    WHERE ${acted} AND (actor_name IS NOT NULL OR address IS NOT NULL OR user_agent IS NOT NULL)
      OR ${changed} AND object_name IS NOT NULL`
}
