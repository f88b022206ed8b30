import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GivenConfig } from '../config.ts'

type Place = Pick<GivenConfig, 'dataDir' | 'localURL'>

/** The file in the data directory that says where the running service listens. */
export function addressPath(dataDir: string): string {
  return join(dataDir, 'address')
}

/** Writes where this process listens, for the command line. */
export async function writeAddress({ dataDir, localURL }: Place): Promise<void> {
  await writeFile(addressPath(dataDir), `${localURL}\n`, { mode: 0o600 })
}

/** Removes the file, unless another process on the same data directory has written it since. */
export async function removeAddress({ dataDir, localURL }: Place): Promise<void> {
  const path = addressPath(dataDir)
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text.trim() === localURL) await rm(path, { force: true })
}
