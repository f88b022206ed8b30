import type { Database } from '../../src/database/database.ts'
import { driverOf, useDriver } from '../../src/database/driver/drivers.ts'

/** While `run` runs, the first statement that contains the text fails as if the database had closed the connection. */
export async function withFailingStatement<T>(db: Database, text: string, run: () => Promise<T>): Promise<T> {
  const driver = driverOf(db)
  if (!driver) throw new Error('A transaction has no driver')
  let hasFailed = false
  useDriver(db, async (...statement) => {
    if (hasFailed || !statement[0].includes(text)) return driver(...statement)
    hasFailed = true
    throw new Error('Connection terminated unexpectedly')
  })
  try {
    const result = await run()
    if (!hasFailed) throw new Error(`No statement contains ${text}`)
    return result
  } finally {
    useDriver(db, driver)
  }
}
