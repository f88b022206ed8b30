import { expect, test } from 'vitest'
import { leaveText } from '../../src/console/groups/leave-text.ts'

test('an admin learns who becomes admin, and other members do not', () => {
  const group = { isPrivate: false, memberCount: 3 }
  expect(leaveText({ ...group, viewerRole: 'admin' })).toMatch(/the person who joined first becomes one\.$/)
  expect(leaveText({ ...group, viewerRole: 'member' })).toMatch(/You can join the group again at any time\.$/)
})

test('the only member of a private group learns that nobody can see it afterwards', () => {
  const group = { isPrivate: true, memberCount: 1, viewerRole: 'admin' }
  expect(leaveText(group)).toContain('nobody can see the group or its messages')
})
