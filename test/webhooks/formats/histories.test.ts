import { describe, expect, test } from 'vitest'
import type { Format } from '../../../src/webhooks/formats/format.ts'
import { github } from '../../../src/webhooks/formats/github.ts'
import { gitlab } from '../../../src/webhooks/formats/gitlab.ts'
import { makeWorld, postToWebhook } from '../../support/factories.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { startService } from '../../support/service.ts'
import { ModelThreads } from './model-threads.ts'
import { issueHistory, pullRequestHistory, quickHistory } from './payloads/github-bodies.ts'
import { mergeRequestHistory } from './payloads/gitlab-bodies.ts'
import { operationsOf, settings } from './read-format.ts'
import { writtenBy } from './written-by.ts'

const service = await startService()

const seeds = Array.from({ length: 300 }, (_, index) => index + 1)
const postedSeeds = seeds.slice(0, 4)

const histories: { name: string; format: Format; events: readonly unknown[] }[] = [
  { name: 'a pull request', format: github, events: pullRequestHistory },
  { name: 'an issue', format: github, events: issueHistory },
  { name: 'an issue that changes several times in a second', format: github, events: quickHistory },
  { name: 'a merge request', format: gitlab, events: mergeRequestHistory },
]

/** Keeps the first event, which opens the thread. Shuffles the others, some of which arrive twice. */
function shuffled([first, ...others]: readonly unknown[], seed: number): unknown[] {
  const random = randomNumbers(seed)
  const twice = others.filter(() => random() < 1 / 4)
  const keyed = [...others, ...twice].map((event) => ({ event, key: random() }))
  return [first, ...keyed.toSorted((one, other) => one.key - other.key).map(({ event }) => event)]
}

function modelOf(format: Format, events: readonly unknown[]) {
  const threads = new ModelThreads()
  const isRead = (body: unknown) => !('skip' in format.read({ headers: {}, body, settings }))
  for (const event of events.filter(isRead))
    for (const operation of operationsOf(format, event)) threads.write(operation)
  return threads.content()
}

describe.each(histories)('the events of $name', ({ format, events }) => {
  async function postedContent(sent: readonly unknown[]) {
    const world = await makeWorld(service)
    const path = `${world.webhook.path}/${format.name}?target=${world.publicGroup.id}`
    for (const body of sent) {
      const { statusCode } = await postToWebhook(service, path, JSON.stringify(body))
      expect(statusCode).toBe(200)
    }
    const { threads, messages } = await writtenBy(world)
    return { threads, messages: messages.toSorted((one, other) => (one.text < other.text ? -1 : 1)) }
  }

  test('that arrive in any order end in the same threads, messages and states', () => {
    const expected = modelOf(format, events)
    for (const seed of seeds)
      expect({ seed, ...modelOf(format, shuffled(events, seed)) }).toEqual({ seed, ...expected })
  })

  test('that are posted in any order end in the same threads, messages and states', async () => {
    const expected = await postedContent(events)
    expect(expected).toEqual(modelOf(format, events))
    for (const seed of postedSeeds)
      expect({ seed, ...(await postedContent(shuffled(events, seed))) }).toEqual({ seed, ...expected })
  })
})
