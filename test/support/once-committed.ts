import type { Database } from '../../src/database/database.ts'
import { driverOf, useDriver } from '../../src/database/driver/drivers.ts'

/**
 * Runs a mutation, and runs `act` between its commit and the read of its payload, as another caller could.
 * `isDone` is true if `act` has run.
 */
export async function onceCommitted<T>(
  db: Database,
  isCommitted: () => Promise<boolean>,
  act: () => Promise<unknown>,
  mutation: () => Promise<T>,
): Promise<{ answer: T; isDone: boolean }> {
  const driver = driverOf(db)
  if (!driver) throw new Error('A transaction has no driver')
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
