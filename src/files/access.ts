import { type Context, requireScope } from '../context.ts'
import { invalidInput } from '../errors.ts'

/** Returns each ID once. Throws unless the caller has uploaded all the files. */
export async function accessOwnFiles(ctx: Context, field: string, ids: readonly string[]): Promise<string[]> {
  requireScope(ctx, 'threads.messages:write')
  if (ids.length === 0) return []
  const { workspaceID, userID } = ctx.actor
  const own = await ctx.db.file.findMany({
    select: { id: true },
    where: { workspaceID, id: { in: [...ids] }, uploaderID: userID },
  })
  const known = new Set(own.map((file) => file.id))
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ field: `${field}.${index}`, message: `is ${id}, which is not a file that you uploaded` }],
  )
  if (errors.length > 0) throw invalidInput(errors)
  return [...new Set(ids)]
}
