import { expect, test } from 'vitest'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { makeWorld } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'

test.runIf(process.env.TEST_DATABASE_URL)(
  'a process moves the remaining events to the log while another process moves the oldest events',
  async () => {
    const { operator, workspaceID, ada } = await makeWorld(await startService())
    const { db } = operator
    await db.$executeRaw`
      INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
      SELECT ${workspaceID}, '{user.updated}', '{NULL}', ARRAY[${ada.id}] FROM generate_series(1, 1500)`
    const oldest = 'SELECT number FROM event_notes ORDER BY number LIMIT 1000'
    const other = await inOpenTransaction(db, `DELETE FROM event_notes WHERE number IN (${oldest})`, [])
    const sequencing = sequenceEvents(db)
    await untilLockWaits(db)
    await other.query('COMMIT')
    await other.end()
    expect(await sequencing).toBe(true)
    expect(await db.eventNote.count()).toBe(0)
    expect(await db.eventHead.findUnique({ where: { workspaceID } })).toMatchObject({ position: 500n })
  },
)
