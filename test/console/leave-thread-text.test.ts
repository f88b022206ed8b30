import { expect, test } from 'vitest'
import { leaveThreadText } from '../../src/console/thread-details/leave-thread-text.ts'

test('a person who leaves a thread learns that they can still read it through a group', () => {
  expect(leaveThreadText([])).toMatch(/Only other people can add you again\.$/)
  expect(leaveThreadText(['Builds'])).toMatch(/still read this thread, because Builds is also a recipient\.$/)
  expect(leaveThreadText(['Builds', 'Ops'])).toMatch(/because Builds, Ops are also recipients\.$/)
})
