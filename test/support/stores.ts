import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type S3Server, startS3 } from './s3.ts'
import { type Service, startService } from './service.ts'

/** The stores for files. Tests run on each of them. */
export const storeNames = ['a directory', 'an S3-compatible store'] as const
export type StoreName = (typeof storeNames)[number]

export type StoredService = Service & {
  /** Returns the keys of all stored contents. */
  stored(): Promise<string[]>
  /** Returns the names of partly received files. */
  incoming(): string[]
  s3: S3Server | undefined
}

export async function startServiceOn(
  store: StoreName,
  env: Record<string, string> = {},
): Promise<StoredService> {
  const s3 = store === 'a directory' ? undefined : await startS3()
  const service = await startService({ ...env, ...s3?.env })
  const folder = join(service.dataDir, 'files')
  const incoming = () => readdirSync(join(folder, 'incoming'))
  const stored = async () => (s3 ? s3.keys() : storedIn(folder))
  return { ...service, stored, incoming, s3 }
}

function storedIn(folder: string): string[] {
  const shelves = readdirSync(folder).filter((name) => name !== 'incoming')
  return shelves.flatMap((shelf) => readdirSync(join(folder, shelf)).map((name) => `${shelf}/${name}`)).sort()
}
