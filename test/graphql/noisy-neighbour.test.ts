import { describe, expect, test } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import type { Database } from '../../src/platform/database.ts'
import { makeWorld, postToWebhook, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'

const searches = Array.from(
  { length: 10 },
  (_, n) => `s${n}: searchMessages(query: "alpha") { nodes { id } }`,
)
/** Of ten connections, one caller's long statements have this many. */
const longAtOnce = 2
const soon = { timeout: 20_000 }

// The embedded database has one connection, which a lock of another one cannot hold up.
describe.runIf(process.env.TEST_DATABASE_URL)(
  'searches of one caller that do not come to an end',
  async () => {
    if (!process.env.TEST_DATABASE_URL) return
    const service = await startService()

    test('leave connections to the short statements of another', async () => {
      const [noisy, quiet] = [await makeWorld(service), await makeWorld(service)]
      const { thread } = await say(quiet.as(quiet.ada.id), [quiet.publicGroup.id], 'alpha', 'S')
      await say(noisy.as(noisy.ada.id), [noisy.publicGroup.id], 'alpha', 'S')
      // What is not indexed yet would be indexed first, by one statement for all.
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
