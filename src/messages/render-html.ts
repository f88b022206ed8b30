import type { Context } from '../context.ts'
import type { Message } from '../generated/prisma/client.ts'
import { findGroupUnscoped } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'
import { inTurns } from '../platform/scheduling/in-turns.ts'
import { mentionedIDs, renderMarkdown } from '../text/markdown/render-markdown.ts'
import { findUserUnscoped } from '../users/access.ts'

/** Returns HTML that is safe to embed. A mention shows the current name, if the caller can see the user or group. */
export async function renderHTML(ctx: Context, { workspaceID, text }: Message): Promise<string> {
  const schemes = ctx.config.mentionSchemes
  const names = new Map<string, string>()
  const ids = await inTurns(ctx.db, text.length, () => mentionedIDs(text, schemes))
  await Promise.all(
    ids.map(async (id) => {
      const known = await (prefixOf(id) === 'usr' ? findUserUnscoped : findGroupUnscoped)(
        ctx,
        workspaceID,
        id,
      )
      if (known) names.set(id, known.name)
    }),
  )
  return inTurns(ctx.db, text.length, () => renderMarkdown(text, { schemes, names }))
}
