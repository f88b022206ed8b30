import { mkdtemp } from 'node:fs/promises'
import { openDatabase } from '../../src/platform/database.ts'

export async function testDatabase() {
  return openDatabase({ dataDir: await mkdtemp('/tmp/skein-tmpdb-'), poolSize: 10, databaseURL: process.env.TEST_URL_TMP })
}
