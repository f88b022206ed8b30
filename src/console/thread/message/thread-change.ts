import { isolated } from '../../text/isolated.ts'
import { nameList } from '../../text/name-list.ts'

type Event = {
  type: string
  subject?: string | null
  recipients: { nodes: readonly { id: string; name: string }[] }
}

const changes: Record<string, string> = {
  closed: 'closed the thread',
  reopened: 'reopened the thread',
  recipientsLocked: 'locked the recipients',
  recipientsUnlocked: 'unlocked the recipients',
  repliesTurnedOff: 'turned replies off',
  repliesTurnedOn: 'turned replies on',
}

/** Says what a system message reports. The text follows the name of the person with the ID `userID`. */
export function threadChange({ type, subject, recipients: { nodes } }: Event, userID: string): string {
  const names = nameList(nodes.map(({ name }) => name)) || 'somebody you cannot see'
  switch (type) {
    case 'subjectChanged':
      return subject ? `changed the subject to “${isolated(subject)}”` : 'removed the subject'
    case 'recipientsAdded':
      return `added ${names}`
    case 'recipientsRemoved':
      return nodes.length === 1 && nodes[0]?.id === userID ? 'left the thread' : `removed ${names}`
    default:
      return changes[type] ?? 'changed the thread'
  }
}
