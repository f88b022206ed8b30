import type { Database } from '../../src/platform/database.ts'
import { driverOf, useDriver } from '../../src/platform/drivers.ts'

/**
 * Does something as soon as a change is committed, and before the service's next statement: what somebody else may do
 * before a mutation reads its payload. Resolves to whether it was done.
 */
export async function onceCommitted<T>(
  db: Database,
  isCommitted: () => Promise<boolean>,
  act: () => Promise<unknown>,
  mutation: () => Promise<T>,
): Promise<{ answer: T; isDone: boolean }> {
  const driver = driverOf(db)
  if (!driver) throw new Error('This database has no driver of its own')
  let acting: Promise<unknown> | undefined
  useDriver(db, async (...statement) => {
    if (!acting && (await isCommitted())) acting = act()
    await acting
    return driver(...statement)
  })
  try {
    return { answer: await mutation(), isDone: acting !== undefined }
  } finally {
    useDriver(db, driver)
  }
}
