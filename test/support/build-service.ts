import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

/** Builds the service if its sources have changed, because tests start the built service. */
export default async function setup(): Promise<void> {
  const build = [join(repository, '.config/build.mjs'), '--if-changed']
  await promisify(execFile)(process.execPath, build)
}
