import { describe, expect, test } from 'vitest'
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
import { titleOf } from '../support/operations.ts'
import { startService } from '../support/service.ts'

const service = await startService(unmetered)
const { known, copy } = await makeHidden(service)

// Otherwise the walk below could stay green because its calls are refused before the access is checked.
describe('an insider', () => {
  let used: HiddenObjects | undefined

  test.each(walked.map((place) => [titleOf(place), place] as const))('reaches %s', async (title, place) => {
    const { ask, own } = known.credentials
    const messagesOf = async () => {
      used ??= await copy()
      const idOf = firstOf({ ...used.everyones, ...used.hidden, ...own })
      const asInsider = place.noun in own ? ask : asking(service, used.insider.token)
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

test.each([
  'app',
  'member',
  'member with a token',
  'admin',
] as const)('%s of the same workspace gets the answer for an ID that does not exist, and changes nothing', async (kind) => {
  await expectNothingHidden(service, known.objects, await makeCaller(service, kind, known))
})
