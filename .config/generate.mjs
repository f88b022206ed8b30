// Generates all of src/generated.
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

/** Generates the files that the compiler needs. */
export function generateSources() {
  return Promise.all([
    run('.config/version.mjs'),
    run('.config/graphql-types.mjs'),
    run('node_modules/prisma/build/index.js', 'generate'),
  ])
}

/** Generates the files that the service reads, in sequence, because the database takes 900 MB of memory. */
export async function generateFiles() {
  await run('--import', 'tsx', '.config/embedded-database.mjs')
  await run('.config/explorer.mjs')
  await run('.config/console.mjs')
}

if (argv[1] === fileURLToPath(import.meta.url)) await Promise.all([generateSources(), generateFiles()])
