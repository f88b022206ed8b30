import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { startDigests } from '../storage/digests.ts'
import { measuredStorage } from '../storage/measured-storage.ts'
import { directoryStorage, incomingBelow, type Storage } from '../storage/storage.ts'

/** Opens the configured storage. The S3 library is loaded only if it is needed. */
export async function openStorage({ s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>): Promise<Storage> {
  startDigests()
  const directory = join(dataDir, 'files')
  if (!s3) return measuredStorage(await directoryStorage(directory))
  const { s3Storage } = await import('../storage/s3-storage.ts')
  return measuredStorage(await s3Storage(s3, incomingBelow(directory)))
}
