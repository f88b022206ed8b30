import { nameList } from '../text/name-list.ts'

/** Says what happens to a person who leaves a thread. `groupNames` are the groups among its recipients that the person can see. */
export function leaveThreadText(groupNames: readonly string[]): string {
  const removed = 'You will be removed from the recipients.'
  if (groupNames.length === 0) return `${removed} Only other people can add you again.`
  const names = nameList(groupNames)
  const reason = groupNames.length === 1 ? `${names} is also a recipient` : `${names} are also recipients`
  return `${removed} You can still read this thread, because ${reason}.`
}
