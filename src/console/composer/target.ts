/** Where a message goes: to a thread, or to recipients whose thread may not exist yet. */
export type Target =
  | { threadID: string }
  | { recipients: readonly string[]; subject?: string; fromMessageID?: string }

/** Returns a name of the target for what this browser stores. */
export function placeOf(workspaceID: string, target: Target): string {
  const place =
    'threadID' in target ? target.threadID : (target.fromMessageID ?? target.recipients.toSorted().join(','))
  return `${workspaceID}:${place}`
}
