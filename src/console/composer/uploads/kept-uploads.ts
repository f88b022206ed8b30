import { pageValues } from '../storage/page-values.ts'

export type Upload = {
  key: number
  name: string
  size: number | null
  /** Null if the page does not have the file, for example because the page has been reloaded. */
  file: File | null
  /** The fraction of the file that is uploaded, from 0 to 1. */
  progress: number
  fileID: string | null
  problem: string | null
  /** Whether the same file would be refused again. */
  isRefused: boolean
  controller: AbortController
}

const controllers = new Set<AbortController>()
let lastKey = 0

/** Returns the files of a draft. They stay, and their uploads continue, while the person visits other threads. */
export const keptUploads = pageValues<readonly Upload[]>(() => [])

export function newUpload(name: string, fields: Partial<Upload> = {}): Upload {
  lastKey += 1
  const controller = new AbortController()
  controllers.add(controller)
  return {
    key: lastKey,
    name,
    size: null,
    file: null,
    progress: 0,
    fileID: null,
    problem: null,
    isRefused: false,
    controller,
    ...fields,
  }
}

/** Cancels the uploads of all drafts when the person signs out. */
export function cancelUploads(): void {
  for (const controller of controllers) controller.abort()
}
