import { expect, test } from 'vitest'
import { makeWorld } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const person = await signedIn(service, await makeWorld(service), 'member')

/** Returns when the session began, as the account page shows it, and for programs. */
async function shown(cookie: string): Promise<{ text: string; at: Date }> {
  const headers = { cookie: `${person.cookie}; ${cookie}` }
  const { body } = await service.app.inject({ url: '/account', headers })
  const [, at = '', text = ''] = /Signed in <time datetime="([^"]+)">([^<]+)<\/time>/.exec(body) ?? []
  return { text, at: new Date(at) }
}

test('the account page shows times in the zone that the web app has stored', async () => {
  const { text, at } = await shown('time-zone=Asia/Tokyo')
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const
  expect(text).toBe(new Intl.DateTimeFormat('en-GB', options).format(at))
})

test.each([
  '',
  'time-zone=Mars/Olympus',
  'time-zone="><b>',
])('with the cookie %j, the zone is UTC', async (cookie) => {
  const { text, at } = await shown(cookie)
  const time = at.toISOString().slice(11, 16)
  expect(text).toMatch(new RegExp(`, ${time} UTC$`))
})
