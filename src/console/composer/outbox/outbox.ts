import { useSyncExternalStore } from 'react'
import {
  attempt,
  onStored,
  outboxPrefix,
  readStored,
  storedKeys,
  writeStored,
} from '../../session/browser-storage.ts'
import { useViewer } from '../../session/viewer.ts'

/** Where a message goes: to a thread, or to recipients whose thread may not exist yet. */
export type Target =
  | { threadID: string }
  | { recipients: readonly string[]; subject?: string; fromMessageID?: string }

/** A message that is not in its thread yet. */
export type Outgoing = {
  /** The `uniqueBy` of the message. Sending it again with the same key never creates a second message. */
  key: string
  /** The person who wrote the message, and the storage key of the composer. */
  outbox: string
  /** The target when the person sent the message. Later changes to the recipient field do not affect it. */
  target: Target
  text: string
  files: readonly { id: string; name: string }[]
  /** Milliseconds since 1970. Sorts the messages of an outbox. */
  writtenAt: number
  /** Null while a page is sending the message. */
  problem: string | null
  /** Whether the service may have received the message although it did not confirm it. */
  mayHaveArrived?: boolean
  /** The IDs of the files that the service has deleted, because no message used them within a day. */
  missingFiles?: readonly string[]
}

const interrupted = {
  problem: 'The page that sent it has received no answer. You can safely try again.',
  mayHaveArrived: true,
}

/** The keys of the messages that this page is sending. */
const sending = new Set<string>()

// The page that was sending these messages is closed, or another tab is still sending them.
for (const { key, problem } of storedMessages()) if (problem === null) change(key, interrupted)

let messages = storedMessages()

onStored(({ key }) => {
  if (key === null || key.startsWith(outboxPrefix)) messages = storedMessages()
})

// Tells the other tabs.
window.addEventListener('pagehide', () => {
  for (const key of sending) change(key, interrupted)
})

/** Returns the key under which this browser stores the draft and the outbox of a target. */
export function storageKeyOf(workspaceID: string, target: Target): string {
  const place =
    'threadID' in target ? target.threadID : (target.fromMessageID ?? target.recipients.toSorted().join(','))
  return `${workspaceID}:${place}`
}

/**
 * Returns the path of the page with the composer of a storage key, or null for a reply in a new thread, which is written in
 * a dialog.
 */
export function composerPath(storageKey: string): string | null {
  const [workspaceID, place = ''] = storageKey.split(':')
  if (place.startsWith('thr_')) return `/${workspaceID}/threads/${place}`
  const [kind, ...to] = place.split(',')
  if (kind !== 'new') return null
  return `/${workspaceID}/new?${to.map((id) => `to=${id}`).join('&')}`
}

/** Each message has its own entry in the storage. Therefore, no tab overwrites what another tab has changed. */
export function storedMessage(key: string): Outgoing | null {
  const item: Outgoing | null | undefined = attempt(() =>
    JSON.parse(readStored(outboxPrefix + key) ?? 'null'),
  )
  return item?.key === key ? item : null
}

export function startSending(item: Outgoing): void {
  sending.add(item.key)
  write({ ...item, problem: null })
}

/** Keeps a message that could not be sent, unless the person has discarded it meanwhile, perhaps in another tab. */
export function keepFailed(key: string, failure: Partial<Outgoing>): void {
  sending.delete(key)
  change(key, failure)
}

/** Removes a message that is in its thread, unless another tab is sending it with another text. */
export function removeSent({ key, writtenAt }: Outgoing): void {
  sending.delete(key)
  if (storedMessage(key)?.writtenAt === writtenAt) removeMessage(key)
}

/** Removes a message from the outbox, also in the other tabs. */
export function removeMessage(key: string): void {
  sending.delete(key)
  writeStored(outboxPrefix + key, null)
}

/** Returns the messages of all outboxes of this browser, also of other people. */
export function useMessages(): readonly Outgoing[] {
  return useSyncExternalStore(onStored, () => messages)
}

/** Returns the storage keys of the person's composers that have a message that could not be sent. */
export function useUnsentKeys(workspaceID: string): readonly string[] {
  const { id } = useViewer()
  const unsent = useMessages().filter(({ problem }) => problem !== null)
  const own = unsent.filter(({ outbox }) => outbox.startsWith(`${id}:${workspaceID}:`))
  return [...new Set(own.map(({ outbox }) => outbox.slice(id.length + 1)))]
}

export function useHasUnsent(storageKey: string): boolean {
  const own = `${useViewer().id}:${storageKey}`
  return useSyncExternalStore(onStored, () =>
    messages.some(({ outbox, problem }) => outbox === own && problem !== null),
  )
}

function storedMessages(): readonly Outgoing[] {
  return storedKeys(outboxPrefix)
    .flatMap((key) => storedMessage(key.slice(outboxPrefix.length)) ?? [])
    .map((item) => (sending.has(item.key) ? { ...item, problem: null } : item))
    .toSorted((a, b) => a.writtenAt - b.writtenAt)
}

function change(key: string, fields: Partial<Outgoing>): void {
  const item = storedMessage(key)
  if (item) write({ ...item, ...fields })
}

function write(item: Outgoing): void {
  writeStored(outboxPrefix + item.key, JSON.stringify(item))
}
