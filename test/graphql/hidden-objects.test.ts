import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import type { HiddenObjects } from '../support/hidden-objects.ts'
import {
  asking,
  callAt,
  expectNothingHidden,
  firstOf,
  makeCaller,
  makeHidden,
  unmetered,
  walked,
} from '../support/hidden-walk.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Place, titleOf } from '../support/operations.ts'
import { startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const { url } = await startMailServer()
const service = await startService({ ...unmetered, SMTP_URL: url, MAIL_FROM: 'skein@example.com' })
const { known, copy } = await makeHidden(service)

// A new webhook sees nothing that is hidden from others. People upload their own pictures.
const unreachable = ['createWebhook.input.defaultTarget', 'updateUser.input.avatarFileID']
const reachable = walked
  .map((place) => [titleOf(place), place] as const)
  .filter(([title]) => !unreachable.includes(title))

// Otherwise the walk below could stay green because its calls are refused before the access is checked.
describe('an insider', () => {
  let used: HiddenObjects | undefined

  test.each(reachable)('reaches %s', async (title, place) => {
    const { ask, own } = known.credentials
    const messagesOf = async () => {
      used ??= await copy()
      const idOf = firstOf({ ...used.everyones, ...used.hidden, ...own })
      const asInsider =
        place.noun in own
          ? ask
          : isForPeople(place)
            ? await insiderPerson(used)
            : asking(service, used.insider.token)
      const answers = await callAt(asInsider, place, idOf(place.noun), idOf, ['__typename'])
      return answers.flatMap(({ errors = [] }) => errors.map(({ message }) => message))
    }
    let messages = await messagesOf()
    if (messages.length > 0) {
      // An earlier test may have changed or deleted the object.
      used = undefined
      messages = await messagesOf()
    }
    const help = `The call is refused. Change alternatives in test/support/operations.ts, the values in test/support/samples.ts, or the objects in test/support/hidden-objects.ts, so that an insider reaches ${title}.`
    expect(messages, help).toEqual([])
  })
})

function isForPeople({ operation }: Place): boolean {
  return operation.description?.includes('Only for people.') ?? false
}

/** Signs in a person who is in the same groups as the insider. */
async function insiderPerson({ workspaceID, generalGroupID, hidden }: HiddenObjects): Promise<Ask> {
  const operator = service.contextOf({ kind: 'operator' })
  const { id, ask } = await signedIn(service, { operator, workspaceID, generalGroupID }, 'admin')
  await addMembers(operator, { groupID: hidden.group?.[0] ?? '', userIDs: [id] })
  return ask
}

test.each([
  'app',
  'member',
  'member with a token',
  'admin',
] as const)('%s of the same workspace gets the answer for an ID that does not exist, and changes nothing', async (kind) => {
  await expectNothingHidden(service, known.objects, await makeCaller(service, kind, known))
})
