import { join } from 'node:path'
import { operatorTokenPattern, operatorTokenRule, type Settings } from '../config.ts'
import { readOrCreateSecretFile } from '../platform/secrets/secret-file.ts'
import { newSecret } from '../platform/secrets/secrets.ts'

/** Returns the configured token, or the token that the first start creates. Concurrent processes get the same token. */
export async function operatorToken(config: Pick<Settings, 'operatorToken' | 'dataDir'>): Promise<string> {
  if (config.operatorToken !== undefined) return config.operatorToken
  const path = operatorTokenPath(config.dataDir)
  const token = readOrCreateSecretFile(path, newSecret)
  if (operatorTokenPattern.test(token)) return token
  throw new Error(`The token in ${path} ${operatorTokenRule}. Delete the file to create a new token.`)
}

export function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token')
}
