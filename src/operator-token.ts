import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GivenConfig } from './config.ts'
import { newSecret } from './platform/secrets.ts'

/**
 * The operator's token: as configured, or else made at the first start and kept in the data directory, readable by
 * the owner only. Processes that start at once agree on one, since a link is made once.
 */
export async function operatorToken(config: Pick<GivenConfig, 'operatorToken' | 'dataDir'>): Promise<string> {
  if (config.operatorToken !== undefined) return config.operatorToken
  const path = operatorTokenPath(config.dataDir)
  return (await read(path)) ?? make(path)
}

/** Where the token is kept that was made at the first start. */
export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token')
}

async function make(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(draft, `${newSecret()}\n`, { mode: 0o600 })
  await link(draft, path).catch(ignoring('EEXIST'))
  await rm(draft)
  const token = await read(path)
  if (token === undefined) throw new Error(`${path} is empty. Delete it to have a new token made.`)
  return token
}

async function read(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoring('ENOENT'))
  return text?.trim() || undefined
}

function ignoring(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
