import type pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { afterStatement } from '../support/after-statement.ts'
import {
  cookieOf,
  graphqlAs,
  joinBy,
  joiningPassword as password,
  postForm,
  sameOrigin,
  signIn,
} from '../support/browser-session.ts'
import { consentForm, makeClient, parametersFor, sendConsent } from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { giveRole } from '../support/roles.ts'
import { startService } from '../support/service.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
const world = await makeWorld(service)
const { operator, workspaceID, generalGroupID: groupID } = world
const passwordLookUp = 'password_hash'
const sessionLookUp = 'FROM sessions'
const createToken = `mutation { createPersonalAccessToken(
  input: { name: "Kept", scopes: ["workspaces:read"], expiresInDays: 7 }) { accessToken } }`
let email = ''
let userID = ''
let number = 0

beforeEach(async () => {
  number += 1
  email = `person${number}@example.com`
  userID = (await createPerson(operator, { workspaceID, name: 'Person', email })).id
})

const enter = () => postForm(service, '/signin', { email, password })
const signInAsOwner = () => signIn(service, operator, email)
const invitation = (provesEmail: boolean) =>
  createSignInLink(operator.db, { email, workspaceID, provesEmail })
const change = (cookie: string, fields: Record<string, string>) =>
  postForm(service, '/account/password', fields, { cookie, ...sameOrigin })
const isSignedIn = async (cookie: string) =>
  (await service.app.inject({ url: '/account', headers: { cookie } })).statusCode === 200

/** Returns the cookie of somebody who accepted an invitation that does not prove who owns the address. */
async function signInAsOther(): Promise<string> {
  return cookieOf(await joinBy(service, await invitation(false)))
}

describe('a password that stops being valid while it is checked', () => {
  test('signs nobody in if the owner of the address signs in', async () => {
    await signInAsOther()
    const answer = await afterStatement(operator.db, passwordLookUp, signInAsOwner, enter)
    expect([answer.statusCode, answer.cookies]).toEqual([403, []])
  })

  test('signs nobody in if it is changed', async () => {
    const cookie = await signInAsOwner()
    await change(cookie, { password })
    const replace = () => change(cookie, { password: 'another-evening-soup', current: password })
    const answer = await afterStatement(operator.db, passwordLookUp, replace, enter)
    expect([answer.statusCode, answer.cookies]).toEqual([403, []])
  })
})

describe('the session of somebody else, while the owner of the address signs in', () => {
  const duringSignIn = <T>(run: () => Promise<T>) =>
    afterStatement(operator.db, sessionLookUp, signInAsOwner, run)

  test('sets no password', async () => {
    const cookie = await signInAsOther()
    const fields = { password: 'another-evening-soup', current: password }
    const answer = await duringSignIn(() => change(cookie, fields))
    expect([answer.statusCode, answer.body]).toEqual([401, expect.stringContaining('The session has ended.')])
    expect((await enter()).statusCode).toBe(403)
  })

  test('creates no personal access token', async () => {
    const cookie = await signInAsOther()
    const { errors } = await duringSignIn(() => graphqlAs(service, { cookie, workspaceID }, createToken))
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    expect(await operator.db.personalAccessToken.count({ where: { workspaceID, userID } })).toBe(0)
  })

  test('grants no access', async () => {
    const person = { cookie: await signInAsOther(), workspaceID }
    await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
    const form = await consentForm(service, person, parametersFor(await makeClient(world)))
    const answer = await duringSignIn(() => sendConsent(service, person, form))
    expect([answer.statusCode, answer.headers.location]).toEqual([401, undefined])
    expect(await operator.db.grant.count({ where: { workspaceID, userID } })).toBe(0)
  })

  test('accepts no invitation', async () => {
    const cookie = await signInAsOther()
    const path = await invitation(false)
    const answer = await duringSignIn(() => postForm(service, path, {}, { cookie, ...sameOrigin }))
    expect([answer.statusCode, answer.cookies]).toEqual([401, []])
  })
})

test('an invitation by mail ends the password and the session of somebody else, even if that session accepts it', async () => {
  const cookie = await signInAsOther()
  const chosen = { password: 'another-evening-soup' }
  const answer = await postForm(service, await invitation(true), chosen, { cookie, ...sameOrigin })
  expect(await isSignedIn(cookieOf(answer))).toBe(true)
  expect(await isSignedIn(cookie)).toBe(false)
  expect((await enter()).statusCode).toBe(403)
})

// The embedded database runs only one transaction at a time. Therefore no row can be locked by another transaction.
describe.runIf(process.env.TEST_DATABASE_URL)('while a row is locked', () => {
  const lock = (sql: string, value: string) => inOpenTransaction(operator.db, sql, [value])
  const lockUser = (set: string) => lock(`UPDATE users SET ${set} WHERE id = $1`, userID)
  const commit = async (locker: pg.Client) => {
    await locker.query('COMMIT')
    await locker.end()
  }
  const accountOf = async (id: string) =>
    (await operator.db.user.findFirstOrThrow({ where: { workspaceID, id } })).accountID

  /** Starts the sign-in of the owner. When the sign-in waits for the lock, commits `locker`. */
  const signInBehind = async (locker: pg.Client) => {
    const signingIn = signInAsOwner()
    await untilLockWaits(operator.db)
    await commit(locker)
    return signingIn
  }

  test('a token stops working if somebody else created it before the owner of the address signed in', async () => {
    const cookie = await signInAsOther()
    const path = await invitation(true)
    const locker = await lock('SELECT FROM sign_in_links WHERE email = $1 FOR UPDATE', email)
    const signingIn = joinBy(service, path)
    await untilLockWaits(operator.db)
    const { data } = await graphqlAs(service, { cookie, workspaceID }, createToken)
    const { accessToken } = data.createPersonalAccessToken
    expect((await service.graphql(accessToken, '{ me { id } }')).data.me.id).toBe(userID)
    await commit(locker)
    expect((await signingIn).statusCode).toBe(303)
    expect((await service.graphql(accessToken, '{ me { id } }')).errors).toBeDefined()
  })

  test('a person who is deleted is not linked to the account, and can be invited again', async () => {
    await signInBehind(await lockUser('deleted_at = now(), account_id = NULL'))
    expect(await accountOf(userID)).toBeNull()
    const { id } = await createPerson(operator, { workspaceID, name: 'Again', email })
    await signInAsOwner()
    expect(await accountOf(id)).not.toBeNull()
  })

  test('a person who gets another address is not linked to the account of the former address', async () => {
    await signInBehind(await lockUser(`email = 'other-' || email`))
    expect(await accountOf(userID)).toBeNull()
  })
})
