/** What a system message reports, by the type of its event. The name of the person comes before it. */
export const threadChanges: Record<string, string> = {
  subjectChanged: 'changed the subject',
  closed: 'closed the thread',
  reopened: 'reopened the thread',
  recipientsLocked: 'locked the recipients',
  recipientsUnlocked: 'unlocked the recipients',
  repliesTurnedOff: 'turned replies off',
  repliesTurnedOn: 'turned replies on',
  recipientsAdded: 'added recipients',
  recipientsRemoved: 'removed recipients',
}
