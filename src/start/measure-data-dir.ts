import { statfs } from 'node:fs/promises'
import { backupAgeSeconds } from '../backup/last-backup.ts'
import { beforeResponse, gauge } from '../platform/metrics.ts'

const freeRatio = gauge(
  'skein_disk_free_ratio',
  'The part of the disk of `DATA_DIR` that is free, from 0 to 1.',
)

const backupAge = gauge(
  'skein_backup_age_seconds',
  'The age of the last backup that the service wrote. Missing if there is none.',
)

/** Returns the part of the disk that is free, without the blocks that are reserved for root, as `df` does. */
export async function freeRatioOf(directory: string): Promise<number> {
  const { bavail, bfree, blocks } = await statfs(directory)
  return bavail / (blocks - bfree + bavail)
}

/** Reads the free space and the age of the backup for each response with metrics. The returned function ends that. */
export function measureDataDir(dataDir: string): () => void {
  return beforeResponse(async () => {
    freeRatio.remove()
    backupAge.remove()
    freeRatio.set(await freeRatioOf(dataDir))
    const age = await backupAgeSeconds(dataDir)
    if (age !== undefined) backupAge.set(age)
  })
}
