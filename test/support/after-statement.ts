import { ConnectionShares } from '../../src/database/connection-shares.ts'
import type { Database } from '../../src/database/database.ts'
import { driverOf, sharesOf, useDriver } from '../../src/database/driver/drivers.ts'

/** Runs `run`. After the first statement that contains the text, runs `act` before the statement returns its rows. */
export async function afterStatement<T>(
  db: Database,
  text: string,
  act: () => Promise<unknown>,
  run: () => Promise<T>,
): Promise<T> {
  const [driver, shares] = [driverOf(db), sharesOf(db)]
  if (!driver) throw new Error('A transaction has no driver')
  let isDone = false
  const acting: typeof driver = async (...statement) => {
    const outcome = await driver(...statement)
    if (isDone || !statement[0].includes(text)) return outcome
    isDone = true
    await act()
    return outcome
  }
  // The statement keeps its share while `act` runs, and the embedded database has only one share.
  useDriver(db, acting, { shares: new ConnectionShares(8, 15_000) })
  try {
    const result = await run()
    if (!isDone) throw new Error(`No statement contains ${text}`)
    return result
  } finally {
    useDriver(db, driver, { shares })
  }
}
