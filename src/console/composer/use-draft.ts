import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { isBlank } from '../../text/blank.ts'
import { draftPrefix, onStored, readStored, storedKeys, writeStored } from '../session/browser-storage.ts'
import { useViewer } from '../session/viewer.ts'
import { removeUploads, useDraftsWithFiles, useKeptUploads } from './uploads/kept-uploads.ts'

/**
 * Returns the text of a draft and its setter. Null removes the draft. Otherwise, this browser stores it until the person
 * signs out. All tabs show the same draft. Without a draft, the text is `initial`. `onRemoved` is called when a tab
 * removes the draft.
 */
export function useDraft(
  storageKey: string,
  initial = '',
  onRemoved?: () => void,
): [string, (text: string | null) => void] {
  const key = useStorageKey(storageKey)
  const [first] = useState(initial)
  const text = useSyncExternalStore(onStored, () => readStored(key)) ?? first
  const follow = useEffectEvent((event: StorageEvent) => {
    if (event.key === key && event.newValue === null) onRemoved?.()
  })
  useEffect(() => onStored(follow), [])
  return [text, (value) => writeStored(key, value === '' && first === '' ? null : value)]
}

/** Returns the text of a draft, or an empty text. */
export function useStoredDraft(storageKey: string): string {
  const key = useStorageKey(storageKey)
  return useSyncExternalStore(onStored, () => readStored(key)) ?? ''
}

/** Returns the names of the files of a draft. Only the page that has attached them knows them. */
export function useDraftFiles(storageKey: string): readonly string[] {
  return useKeptUploads(`${useViewer().id}:${storageKey}`).map(({ name }) => name)
}

/** Returns the storage keys of the person's composers that have a text or files, except edits of messages. */
export function useDraftKeys(workspaceID: string): readonly string[] {
  const prefix = useStorageKey(`${workspaceID}:`)
  // A text, because a new list would be a change for React.
  const withText = useSyncExternalStore(onStored, () =>
    storedKeys(prefix)
      .filter((key) => !isBlank(readStored(key) ?? ''))
      .map((key) => key.slice(prefix.length))
      .join('\n'),
  )
  const owner = `${useViewer().id}:${workspaceID}:`
  const withFiles = useDraftsWithFiles(owner)
  const places = [...withText.split('\n'), ...withFiles.split('\n').map((draft) => draft.slice(owner.length))]
  return [...new Set(places)]
    .filter((place) => place !== '' && !place.includes(':'))
    .sort()
    .map((place) => `${workspaceID}:${place}`)
}

const shownKeys = new Set<string>()
const shownListeners = new Set<() => void>()

/** Call this in a composer: the draft is on the screen while it is mounted. */
export function useShowDraft(storageKey: string): void {
  useEffect(() => {
    const change = (isShown: boolean) => {
      if (isShown) shownKeys.add(storageKey)
      else shownKeys.delete(storageKey)
      for (const listener of shownListeners) listener()
    }
    change(true)
    return () => change(false)
  }, [storageKey])
}

/** Returns whether the person has drafts, other than those that a composer of the page shows. */
export function useHasOtherDrafts(workspaceID: string): boolean {
  const keys = useDraftKeys(workspaceID)
  return useSyncExternalStore(
    (listener) => {
      shownListeners.add(listener)
      return () => shownListeners.delete(listener)
    },
    () => keys.some((key) => !shownKeys.has(key)),
  )
}

/** Returns a function that removes the draft of a composer, with its files, subject and recipients. */
export function useForgetDraft(): (storageKey: string) => void {
  const prefix = useStorageKey('')
  const { id } = useViewer()
  return (storageKey) => {
    removeUploads(`${id}:${storageKey}`)
    for (const key of storedKeys(prefix + storageKey))
      if (key === prefix + storageKey || key.startsWith(`${prefix}${storageKey}:`)) writeStored(key, null)
  }
}

function useStorageKey(storageKey: string): string {
  return `${draftPrefix}${useViewer().id}:${storageKey}`
}
