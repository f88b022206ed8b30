type Left = { isPrivate: boolean; viewerRole?: string | null; memberCount?: number | null }

/** Says what happens to a person who leaves a group, and to the group. */
export function leaveText({ isPrivate, viewerRole, memberCount }: Left): string {
  const isLast = memberCount === 1
  if (isPrivate && isLast)
    return 'You are the only member. After you leave, nobody can see the group or its messages, or join it again.'
  const forPerson = isPrivate
    ? 'You will no longer see the group or its messages. A member can add you again.'
    : 'You will no longer receive its messages. You can join the group again at any time.'
  if (viewerRole !== 'admin') return forPerson
  const forGroup = isLast
    ? 'You are the only member. You will no longer be an admin of the group.'
    : 'You will no longer be an admin of the group. If it has no other admin, the person who joined first becomes one.'
  return `${forPerson} ${forGroup}`
}
