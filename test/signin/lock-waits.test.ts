import { describe, expect, onTestFinished, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { postForm, signIn } from '../support/browser-session.ts'
import { testDatabase } from '../support/database.ts'
import { makeWorld } from '../support/factories.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'

/** The time limits of a wait for a connection and of a wait for a lock, and time for the rest. */
const longestMs = 15_000 + 5000 + 4000

// The embedded database has one connection. Therefore nothing can hold a lock beside it.
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('while an account is locked', () => {
  test('each of many sign-ins is answered within the time limits', async () => {
    // With two connections, one transaction runs at a time.
    const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' }, await testDatabase(undefined, 2))
    const { operator } = await makeWorld(service)
    const { db } = operator
    const email = 'locked@example.com'
    await signIn(service, operator, email)
    const link = () => createSignInLink(db, { email, workspaceID: null, provesEmail: true })
    const links = await Promise.all(Array.from({ length: 8 }, link))
    const locker = await inOpenTransaction(db, 'SELECT FROM accounts WHERE email = $1 FOR UPDATE', [email])
    const end = () => locker.end()
    onTestFinished(end)
    const began = performance.now()
    const answers = await Promise.all(
      links.map(async (url) => {
        const { statusCode, headers } = await postForm(service, url)
        return { statusCode, retryAfter: headers['retry-after'], ms: performance.now() - began }
      }),
    )
    await end()
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(links.map(() => 503))
    expect(answers.map(({ retryAfter }) => retryAfter)).toEqual(links.map(() => expect.any(String)))
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(longestMs)
    expect((await postForm(service, await link())).statusCode).toBe(303)
  }, 90_000)
})
