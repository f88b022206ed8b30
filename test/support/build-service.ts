import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

/**
 * Builds the parts of the service whose sources have changed, because tests start the built service. Does not build
 * the web app again for single files whose tests do not open it.
 */
export default async function setup(): Promise<void> {
  const files = process.argv.filter((argument) => argument.endsWith('.test.ts'))
  const opensPages = files.length === 0 || files.some((file) => /browser|console|explorer/.test(file))
  const build = [
    join(repository, '.config/build.mjs'),
    '--if-changed',
    ...(opensPages ? [] : ['--without-pages']),
  ]
  await promisify(execFile)(process.execPath, build)
}
