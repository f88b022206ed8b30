import { expect, test } from 'vitest'
import { threadChange } from '../../src/console/thread/message/thread-change.ts'

const [ada, grace] = [
  { id: 'usr_1', name: 'Ada' },
  { id: 'usr_2', name: 'Grace' },
]

test('a person who removes only themselves has left the thread', () => {
  const event = { type: 'recipientsRemoved', recipients: { nodes: [grace] } }
  expect(threadChange(event, grace.id)).toBe('left the thread')
  expect(threadChange(event, ada.id)).toBe('removed Grace')
  expect(threadChange({ ...event, recipients: { nodes: [ada, grace] } }, ada.id)).toBe('removed Ada, Grace')
  expect(threadChange({ ...event, recipients: { nodes: [] } }, ada.id)).toBe(
    'removed somebody you cannot see',
  )
})
