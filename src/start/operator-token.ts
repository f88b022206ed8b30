import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operatorTokenPattern, operatorTokenRule, type Settings } from '../config.ts'
import { newSecret } from '../platform/secrets.ts'

/** Returns the configured token, or the token that the first start creates. Concurrent processes get the same token. */
export async function operatorToken(config: Pick<Settings, 'operatorToken' | 'dataDir'>): Promise<string> {
  if (config.operatorToken !== undefined) return config.operatorToken
  const path = operatorTokenPath(config.dataDir)
  return (await read(path)) ?? createToken(path)
}

export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token')
}

async function createToken(path: string): Promise<string> {
  const temporaryPath = `${path}.${randomUUID()}`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(temporaryPath, `${newSecret()}\n`, { mode: 0o600 })
  await link(temporaryPath, path).catch(ignoring('EEXIST'))
  await rm(temporaryPath)
  const token = await read(path)
  if (token === undefined)
    throw new Error(`The file ${path} disappeared while it was being created. Start the service again.`)
  return token
}

async function read(path: string): Promise<string | undefined> {
  const token = (await readFile(path, 'utf8').catch(ignoring('ENOENT')))?.trim()
  if (token === undefined || operatorTokenPattern.test(token)) return token
  throw new Error(`The token in ${path} ${operatorTokenRule}. Delete the file to create a new token.`)
}

function ignoring(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
