import type { World } from '../../support/factories.ts'

/** Returns what the webhook of a world wrote, as `Written` of payload.ts. */
export async function writtenBy({ operator: { db }, workspaceID, webhook }: World) {
  const own = { workspaceID, startedByID: webhook.userID }
  const threads = await db.thread.findMany({ where: { ...own, kind: 'thread' } })
  const messages = await db.message.findMany({
    where: { workspaceID, authorID: webhook.userID },
    orderBy: { position: 'asc' },
  })
  return {
    threads: threads.map(({ subject, state, closedAt }) => ({ subject, state, isClosed: closedAt !== null })),
    messages: messages.map(({ text, state }) => ({ text, state })),
  }
}
