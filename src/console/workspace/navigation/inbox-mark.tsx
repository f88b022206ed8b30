import { Count, Dot } from '../../page/unread-mark.tsx'

type Props = { unread: { threads: number; directMessages: number; mentions: number } | null | undefined }

/** The number of DMs and mentions that are unread. Without them, a dot if other threads are unread. */
export function InboxMark({ unread }: Props) {
  if (!unread) return null
  const { threads, directMessages, mentions } = unread
  const forPerson = directMessages + mentions
  if (forPerson > 0) return <Count value={forPerson} label={`${forPerson} unread`} />
  return <Dot label={threads > 0 ? `${threads} unread` : null} />
}
