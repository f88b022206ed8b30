import type { Context } from '../context.ts'
import type { Message } from '../generated/prisma/client.ts'
import { findGroupUnscoped } from '../groups/access.ts'
import { prefixOf } from '../platform/ids.ts'
import { inTurns } from '../platform/scheduling/in-turns.ts'
import { escapeText } from '../text/markdown/escape.ts'
import { mentionedIDs, renderMarkdown } from '../text/markdown/render-markdown.ts'
import { findUserUnscoped } from '../users/access.ts'

type ShownMessage = Pick<Message, 'workspaceID' | 'text' | 'allowMentions' | 'isPlain'>

/** Returns HTML that is safe to embed. A mention shows the current name, if the caller can see the user or group. */
export async function renderHTML(ctx: Context, message: ShownMessage): Promise<string> {
  const { text } = message
  if (message.isPlain) return inTurns(ctx.db, text.length, () => `<p>${escapeText(text)}</p>`)
  const names = await mentionedNames(ctx, message)
  return inTurns(ctx.db, text.length, () =>
    renderMarkdown(text, { schemes: ctx.config.mentionSchemes, names }),
  )
}

/** Returns the current names of the users and groups that a message mentions, by ID. */
export async function mentionedNames(
  ctx: Context,
  { workspaceID, text, allowMentions, isPlain }: ShownMessage,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  if (!allowMentions || isPlain) return names
  const ids = await inTurns(ctx.db, text.length, () => mentionedIDs(text, ctx.config.mentionSchemes))
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
  return names
}
