import { describe, expect, test } from 'vitest'
import {
  callAt,
  expectNothingHidden,
  firstOf,
  makeCaller,
  makeHidden,
  selectionsFor,
  unmetered,
  walked,
} from '../support/hidden-walk.ts'
import { leaksOf } from '../support/leaks.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Operation, operations } from '../support/operations.ts'
import { type GraphQLAnswer, startService } from '../support/service.ts'

const { url } = await startMailServer()
const service = await startService({ ...unmetered, SMTP_URL: url, MAIL_FROM: 'skein@example.com' })
const { known, copy } = await makeHidden(service)

// The callers of the same workspace are in test/graphql/hidden-objects.test.ts.
test.each([
  'app',
  'member',
  'admin',
] as const)('%s of another workspace gets the answer for an ID that does not exist, and changes nothing', async (kind) => {
  const caller = await makeCaller(service, kind, { ...known, world: await copy() })
  await expectNothingHidden(service, known.objects, caller)
})

describe.each(['app', 'member', 'admin'] as const)('%s of the same workspace', (kind) => {
  test('learns nothing hidden from operations on what it can see', async () => {
    const { ask, own, secrets } = await makeCaller(service, kind, known)
    const leaks: object[] = []
    const succeeded = new Set<string>()
    for (const operation of inOrder(operations)) {
      const selected = selectionsFor(operation, 2)
      const places = walked.filter((place) => place.operation === operation)
      // Everyone can see the objects of the others, but not their private groups and the message that they began with.
      for (const objects of [own, { ...own, ...known.objects.everyones }]) {
        const idOf = firstOf(objects)
        const answers: GraphQLAnswer[] = []
        if (places.length === 0)
          answers.push(...(await callAt(ask, { operation, path: [] }, '', idOf, selected)))
        for (const place of places)
          answers.push(...(await callAt(ask, place, idOf(place.noun), idOf, selected)))
        if (answers.some(({ errors }) => !errors)) succeeded.add(operation.name)
        const found = leaksOf(answers, secrets)
        if (found.length > 0) leaks.push({ operation: operation.name, found })
      }
    }
    expect(leaks).toEqual([])
    expect([...succeeded]).toEqual(expect.arrayContaining(forEveryone))
  })
})

/** Mutations that succeed for every caller, on the caller's own objects. */
const forEveryone = ['sendMessage', 'editMessage', 'addReaction', 'markRead', 'markUnread', 'updateThread']
forEveryone.push(
  'addRecipients',
  'removeRecipients',
  'deleteMessage',
  'updateGroup',
  'addMembers',
  'uploadTicket',
)

/** Returns the queries and mutations. Those that remove objects are last. */
function inOrder(all: Operation[]): Operation[] {
  const isLast = ({ name }: Operation) => /^(delete|remove|leave|revoke|end|uninstall)/.test(name)
  const asked = all.filter(({ kind }) => kind !== 'subscription')
  return [...asked.filter((each) => !isLast(each)), ...asked.filter(isLast)]
}
