import { expect, test } from 'vitest'
import {
  cookieOf,
  joiningPassword as password,
  postForm,
  sameOrigin,
  signIn,
} from '../support/browser-session.ts'
import { makeWorld } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { codesOf, startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
const world = await makeWorld(service)
const { db } = world.operator

/** Moves the sign-in of all sessions into the past. */
const age = (minutes: number) =>
  db.$executeRaw`UPDATE sessions SET created_at = created_at - make_interval(mins => ${minutes}::integer)`
const setFirst = (cookie: string) =>
  postForm(service, '/account/password', { password }, { cookie, ...sameOrigin })
const token = { input: { name: 'T', scopes: ['workspaces:read'], expiresInDays: 1 } }

test('a first password needs a sign-in of at most 15 minutes ago, and the person comes back to set it', async () => {
  const { cookie, email } = await signedIn(service, world, 'member')
  await age(16)
  const page = await service.app.inject({ url: '/account', headers: { cookie } })
  const again = '/signin?prompt=login&continue=%2Faccount'
  expect(page.body).toContain(`href="${again.replace('&', '&amp;')}"`)
  expect(page.body).not.toContain('type="password"')
  expect((await setFirst(cookie)).headers.location).toBe(again)
  expect(await db.account.findUnique({ where: { email } })).toMatchObject({ passwordHash: null })
  const asked = await service.app.inject({ url: again, headers: { cookie } })
  expect(asked.body).toContain('Sign in again to continue.')
  const link = await linkPathFor(world.operator, email)
  const signedInAgain = await postForm(
    service,
    link,
    {},
    { cookie: `${cookie}; ${cookieOf(asked)}`, ...sameOrigin },
  )
  expect(signedInAgain.headers.location).toBe('/account')
  const fresh = String(signedInAgain.cookies.find(({ name }) => name === 'skein-session')?.value)
  expect((await setFirst(`skein-session=${fresh}`)).headers.location).toBe('/account')
  expect(await db.account.findUnique({ where: { email } })).not.toMatchObject({ passwordHash: null })
})

test('a change of a password needs the current one, not a fresh sign-in', async () => {
  const { cookie } = await signedIn(service, world, 'member')
  await setFirst(cookie)
  await age(120)
  const change = { password: `${password}-new`, current: password }
  const changed = await postForm(service, '/account/password', change, { cookie, ...sameOrigin })
  expect(changed.statusCode).toBe(303)
  expect(changed.headers.location).toBe('/account')
})

test('a personal access token needs a sign-in of at most 15 minutes ago', async () => {
  const { ask, email } = await signedIn(service, world, 'member')
  const create = () => ask(mutation('createPersonalAccessToken', 'accessToken'), token)
  await age(14)
  expect((await create()).errors).toBeUndefined()
  await age(2)
  const refused = await create()
  expect(codesOf(refused)).toEqual(['FORBIDDEN'])
  expect(refused.errors).toMatchObject([{ extensions: { reason: 'SIGN_IN_TOO_OLD' } }])
  await signIn(service, world.operator, email)
  expect(codesOf(await create())).toEqual(['FORBIDDEN'])
})
