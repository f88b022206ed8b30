import { onTestFinished } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { type Driver, driverOf, useDriver } from '../../src/database/driver/drivers.ts'

/** Until the end of the test, runs `around` instead of each statement. It can call the driver. */
export function driveStatements(db: Database, around: (driver: Driver) => Driver): void {
  const driver = driverOf(db)
  if (!driver) throw new Error('A transaction has no driver')
  useDriver(db, around(driver))
  onTestFinished(() => useDriver(db, driver))
}

/** Holds the statements that contain the text and have this value, until `release`. */
export function holdStatements(db: Database, { text, value }: { text: string; value: string }) {
  const held: (() => void)[] = []
  let isHolding = true
  const release = () => {
    isHolding = false
    for (const run of held.splice(0)) run()
  }
  driveStatements(db, (driver) => async (...statement) => {
    const isSelected = statement[0].includes(text) && statement[1].includes(value)
    if (isHolding && isSelected) await new Promise<void>((run) => held.push(run))
    return driver(...statement)
  })
  onTestFinished(release)
  return { held, release }
}
