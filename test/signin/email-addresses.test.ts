import { expect, test } from 'vitest'
import { postForm } from '../support/browser-session.ts'
import { makeWorld } from '../support/factories.ts'
import { startMailServer } from '../support/mail-server.ts'
import { mutation } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const { url } = await startMailServer()
const settings = { MAIL_FROM: 'skein@example.com', SIGNIN_ATTEMPTS_PER_MINUTE: '0' }
const service = await startService({ SMTP_URL: url, ...settings })
const { workspaceID, ada } = await makeWorld(service)

const notAddresses = [
  'a@b..com',
  'a@.b.com',
  'a@b.com.',
  'a@-b.com',
  'a@b-.com',
  `a@${'b'.repeat(64)}.com`,
  'a@b,com',
  'a@b@c.com',
  'a@b_c.com/d',
  'a,b@c.com',
  'a<b>@c.com',
  '"a"@c.com',
  'a\\b@c.com',
  'a@',
  '@b.com',
]
const addresses = [
  'a.b+c@d-e.f.com',
  "o'neil@xn--bcher-kva.example",
  'ada@localhost',
  'çelik@bücher.example',
  '用户@例子.例',
]

/** Sends an address to every operation that takes one, and returns the codes of the errors. */
async function codesFor(email: string): Promise<Record<string, string | undefined>> {
  const codes: Record<string, string | undefined> = {}
  for (const [name, selection, input] of [
    ['inviteUser', 'user { id }', { workspaceID }],
    ['createUser', 'user { id }', { workspaceID, name: 'Person' }],
    ['updateUser', 'user { id }', { userID: ada.id }],
    ['createSignInLink', 'url', {}],
    ['deactivateAccount', 'account { id }', {}],
    ['reactivateAccount', 'account { id }', {}],
  ] as const) {
    const { errors } = await service.graphql(operatorToken, mutation(name, selection), {
      input: { ...input, email },
    })
    codes[name] = errors?.[0]?.extensions.code
  }
  return codes
}

test.each(notAddresses)('%s is refused wherever an email address is expected', async (email) => {
  const codes = await codesFor(email)
  expect(new Set(Object.values(codes)), JSON.stringify(codes)).toEqual(new Set(['INVALID_INPUT']))
  for (const path of ['/signin/mail', '/signin'])
    expect([path, (await postForm(service, path, { email, password: 'x' })).statusCode]).toEqual([path, 400])
})

test.each(addresses)('%s is an email address', async (email) => {
  const codes = await codesFor(email)
  expect(Object.values(codes).filter((code) => code === 'INVALID_INPUT')).toEqual([])
})
