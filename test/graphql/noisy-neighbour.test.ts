import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { makeWorld, postToWebhook, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const searches = Array.from(
  { length: 10 },
  (_, n) => `s${n}: searchMessages(query: "alpha") { nodes { id } }`,
)
/** How many of the ten connections the long statements of one caller can use. */
const longAtOnce = 2
const soon = { timeout: 20_000 }

// The embedded database has only one connection. Therefore no other connection can block it with a lock.
describe.runIf(process.env.TEST_DATABASE_URL)(
  'searches of one caller that are blocked by a table lock',
  async () => {
    if (!process.env.TEST_DATABASE_URL) return
    const service = await startService()

    test('leave connections for the short statements of another caller', async () => {
      const [noisy, quiet] = [await makeWorld(service), await makeWorld(service)]
      const { thread } = await say(quiet.as(quiet.ada.id), [quiet.publicGroup.id], 'alpha', 'S')
      await say(noisy.as(noisy.ada.id), [noisy.publicGroup.id], 'alpha', 'S')
      // This search indexes the new messages. Otherwise, all searches below would wait for the statement that does so.
      await service.graphql(noisy.app.token, `{ ${searches[0]} }`)
      const { db } = noisy.operator
      let searching: Promise<unknown>[] = []
      await db.$transaction(
        async (tx) => {
          await tx.$executeRaw`LOCK TABLE searchable_messages`
          searching = Array.from({ length: 20 }, () =>
            service.graphql(noisy.app.token, `{ ${searches.join(' ')} }`),
          )
          await expect.poll(() => lockedOut(db), soon).toBeGreaterThan(0)
          const answers = [
            await service.graphql(
              quiet.app.token,
              '{ me { id } threads { nodes { messages { nodes { id } } } } }',
            ),
            (await postToWebhook(service, quiet.webhook.path, { text: 'x', target: thread.id })).json(),
            (await service.app.inject('/health/ready')).json(),
          ]
          expect(answers).toMatchObject([
            { data: { me: { id: quiet.app.userID } } },
            { threadID: thread.id },
            { status: 'ready' },
          ])
          expect(await lockedOut(db)).toBeLessThanOrEqual(longAtOnce)
        },
        { timeout: 60_000 },
      )
      await Promise.all(searching)
    })
  },
)

async function lockedOut(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ waiting: number }[]>(
    Prisma.sql`SELECT count(*)::integer AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return row?.waiting ?? 0
}
