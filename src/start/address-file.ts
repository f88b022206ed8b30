import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'

type AddressFile = Pick<Settings, 'dataDir' | 'localURL'>

export function addressPath(dataDir: string): string {
  return join(dataDir, 'address')
}

export async function writeAddress({ dataDir, localURL }: AddressFile): Promise<void> {
  await writeFile(addressPath(dataDir), `${localURL}\n`, { mode: 0o600 })
}

/** Removes the file unless another process with the same data directory has overwritten it. */
export async function removeAddress({ dataDir, localURL }: AddressFile): Promise<void> {
  const path = addressPath(dataDir)
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text.trim() === localURL) await rm(path, { force: true })
}
