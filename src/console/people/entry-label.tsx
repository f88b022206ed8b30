import { Avatar, GroupAvatar } from '../page/avatar.tsx'
import type { DirectoryEntry } from './directory.ts'
import styles from './entry-label.module.css'

const kinds = { person: 'Person', app: 'App', webhook: 'Webhook' }

/** A user or a group in a list of choices. The picture and the detail tell those with the same name apart. */
export function EntryLabel({ entry }: { entry: DirectoryEntry }) {
  return (
    <>
      <EntryAvatar entry={entry} />
      <bdi className={styles.name}>{entry.name}</bdi>
      <span className={styles.detail}>{detailOf(entry)}</span>
    </>
  )
}

/** An `EntryLabel` for a parent that does not lay out its children in a row. */
export function EntryLine({ entry }: { entry: DirectoryEntry }) {
  return (
    <span className={styles.entry}>
      <EntryLabel entry={entry} />
    </span>
  )
}

/** A chosen user or group, with a small picture. */
export function EntryName({ entry, label }: { entry: DirectoryEntry | undefined; label: string }) {
  return (
    <span className={styles.entry} data-chosen>
      {entry && <EntryAvatar entry={entry} size="sm" />}
      {label}
    </span>
  )
}

type AvatarProps = { entry: DirectoryEntry; size?: 'sm' | 'md' }

function EntryAvatar({ entry, size = 'md' }: AvatarProps) {
  return entry.kind === 'group' ? (
    <GroupAvatar isPrivate={entry.isPrivate ?? false} size={size} />
  ) : (
    <Avatar user={entry} size={size} />
  )
}

function detailOf({ kind, email, isPrivate, memberCount }: DirectoryEntry): string {
  if (kind !== 'group') return email ?? kinds[kind]
  const members = memberCount == null ? '' : ` · ${memberCount === 1 ? '1 member' : `${memberCount} members`}`
  return `${isPrivate ? 'Private group' : 'Group'}${members}`
}
