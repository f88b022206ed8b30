import { z } from 'zod'
import { built } from '../generated/version.ts'

/** The format that this version writes. It reads this one and earlier ones. */
const format = 1

export const manifestName = 'manifest.json'
export const digestsName = 'digests.json'

// The format is checked before the rest, because a newer format can have other fields.
const anyManifest = z.object({ format: z.int().min(1) })
const manifest = z.object({
  format: z.literal(format),
  /** The version and the commit of Skein. */
  version: z.string(),
  commit: z.string().nullable(),
  postgresql: z.string(),
  migration: z.string(),
  takenAt: z.iso.datetime(),
  /** Approximate, because the database changes during the backup. */
  bytes: z.number(),
})

export type Manifest = z.infer<typeof manifest>

/** The SHA-256 of each file of a backup, in hexadecimal, by its name. */
export const digests = z.record(z.string(), z.string())

export function newManifest(
  state: Pick<Manifest, 'postgresql' | 'migration' | 'takenAt' | 'bytes'>,
): Manifest {
  return { format, version: built.version, commit: built.commit, ...state }
}

export function readManifest(text: string): Manifest {
  const value = parsed(text)
  const { success, data } = anyManifest.safeParse(value)
  if (!success) throw notABackup()
  if (data.format > format) {
    throw new Error(
      `The backup has format ${data.format}, but this version of Skein reads only formats up to ${format}. ` +
        'Use the version that wrote the backup, or a later one.',
    )
  }
  const read = manifest.safeParse(value)
  if (!read.success) throw notABackup()
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function notABackup(): Error {
  return new Error('The file is not a backup of Skein.')
}
