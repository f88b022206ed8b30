/** Where a message goes: to a thread, or to recipients whose thread may not exist yet. */
export type Target =
  | { threadID: string }
  | { recipients: readonly string[]; subject?: string; fromMessageID?: string }

/** Returns the key under which this browser stores the draft and the outbox of a target. */
export function storageKeyOf(workspaceID: string, target: Target): string {
  const place =
    'threadID' in target ? target.threadID : (target.fromMessageID ?? target.recipients.toSorted().join(','))
  return `${workspaceID}:${place}`
}
