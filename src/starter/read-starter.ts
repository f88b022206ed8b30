import { readFile } from 'node:fs/promises'
import { type Starter, starterPath } from './create-starter-workspace.ts'

export async function readStarter(dataDir: string): Promise<Starter | undefined> {
  try {
    return JSON.parse(await readFile(starterPath(dataDir), 'utf8'))
  } catch {
    return undefined
  }
}
