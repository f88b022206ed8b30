import { readFile } from 'node:fs/promises'
import { type Starter, starterPath } from './make-starter.ts'

/** What `starter.json` holds, or undefined if there is no such file that can be read. */
export async function readStarter(dataDir: string): Promise<Starter | undefined> {
  try {
    return JSON.parse(await readFile(starterPath(dataDir), 'utf8'))
  } catch {
    return undefined
  }
}
