import { z } from 'zod'
import { Prisma } from '../generated/prisma/client.ts'
import { id, parseInput, time } from '../input.ts'
import { auditActions } from './actions.ts'

const inputSchema = z.object({
  actions: z.array(z.enum(auditActions, 'is not the name of an action')).max(100).nullish(),
  actorID: id.nullish(),
  objectID: id.nullish(),
  outcome: z.enum(['done', 'refused']).nullish(),
  since: time.nullish(),
  until: time.nullish(),
})

export type AuditFilter = {
  [Field in keyof z.input<typeof inputSchema>]: Field extends 'actions'
    ? readonly string[] | null | undefined
    : z.input<typeof inputSchema>[Field]
}

/** Returns the condition of a filter for entries with the alias `e`. */
export function matching(filter: AuditFilter | null | undefined): Prisma.Sql {
  const { actions, actorID, objectID, outcome, since, until } = parseInput(
    inputSchema,
    (filter ?? {}) as z.input<typeof inputSchema>,
  )
  const conditions = [
    actions && Prisma.sql`e.action = ANY (${actions}::text[])`,
    actorID != null && Prisma.sql`e.actor_id = ${actorID}`,
    objectID != null && Prisma.sql`e.object_id = ${objectID}`,
    outcome && Prisma.sql`e.outcome = ${outcome}`,
    since && Prisma.sql`e.created_at >= ${since.toISOString()}::timestamptz`,
    until && Prisma.sql`e.created_at < ${until.toISOString()}::timestamptz`,
  ].filter((condition) => condition instanceof Prisma.Sql)
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`TRUE`
}
