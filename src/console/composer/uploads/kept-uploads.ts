import { useSyncExternalStore } from 'react'

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

/** The files of each draft. They stay, and their uploads continue, while the person visits other threads. */
const kept = new Map<string, readonly Upload[]>()
const none: readonly Upload[] = []
const listeners = new Set<() => void>()

export function keptUploads(draft: string): readonly Upload[] {
  return kept.get(draft) ?? none
}

export function changeUploads(draft: string, next: (uploads: readonly Upload[]) => readonly Upload[]): void {
  kept.set(draft, next(keptUploads(draft)))
  for (const listener of listeners) listener()
}

export function useKeptUploads(draft: string): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => keptUploads(draft))
}

/** Returns the drafts with files whose names begin with a prefix, one a line: a new list would be a change for React. */
export function useDraftsWithFiles(prefix: string): string {
  return useSyncExternalStore(subscribe, () =>
    [...kept.keys()].filter((draft) => draft.startsWith(prefix) && keptUploads(draft).length > 0).join('\n'),
  )
}

/** Cancels the uploads of a draft, and removes its files. */
export function removeUploads(draft: string): void {
  for (const { controller } of keptUploads(draft)) controller.abort()
  changeUploads(draft, () => [])
}

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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
