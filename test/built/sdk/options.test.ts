import { describe, expect, test } from 'vitest'
import { Skein, type SkeinOptions, Webhook } from '../../../src/sdk/index.ts'
import { freePort } from '../../support/process.ts'
import { all, failureOf } from '../../support/sdk.ts'

const baseURL = 'https://skein.example.com'
const app = { workspaceID: 'wks_', clientID: 'app_', clientSecret: 's', redirectURI: 'https://x.example' }
const make = (options: object) => () => new Skein(options as SkeinOptions)

describe('a client is not constructed', () => {
  test.each<[string, object, RegExp]>([
    ['without a base URL', app, /^baseURL must be an http or https URL/],
    [
      'with a base URL of another scheme',
      { ...app, baseURL: 'localhost:3000' },
      /^baseURL must be an http or https URL/,
    ],
    [
      'without credentials',
      { baseURL },
      /^Give an accessToken, or the credentials .* Missing: workspaceID, clientID, clientSecret, redirectURI\.$/,
    ],
    [
      'with some of the credentials',
      { baseURL, workspaceID: 'wks_', clientID: 'app_' },
      /Missing: clientSecret, redirectURI\.$/,
    ],
    ['with an empty secret', { ...app, baseURL, clientSecret: '' }, /Missing: clientSecret\.$/],
    [
      'with credentials and an access token',
      { ...app, baseURL, accessToken: 'x' },
      /^Give either an accessToken, or the credentials of an app, not both\.$/,
    ],
    ['with a query in its base URL', { ...app, baseURL: `${baseURL}?a=1` }, /without a query or fragment/],
    ['with a fragment in its base URL', { ...app, baseURL: `${baseURL}#a` }, /without a query or fragment/],
  ])('%s', (_case, options, message) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(message)
  })

  test('for a webhook with an invalid URL, which the error does not repeat', () => {
    const make = () => new Webhook('https://skein.example.com/hook/secret')
    expect(make).toThrow(/^This is not a webhook URL/)
    expect(make).not.toThrow(/secret/)
  })

  test.each(['/attachment', '/', '#key'])('for a webhook if %s is added to its URL', (more) => {
    const make = () => new Webhook(`https://skein.example.com/webhook/wbh_x/key${more}`)
    expect(make).toThrow(/^This is not a webhook URL/)
  })
})

test('a client accepts the contents of starter.json', () => {
  const more = {
    groupID: 'g',
    privateGroupID: 'g',
    userIDs: [],
    appID: 'a',
    webhookURL: 'u',
    operatorToken: 't',
  }
  expect(make({ ...app, baseURL, ...more })).not.toThrow()
})

describe('an unknown option is refused, and nothing is sent', () => {
  const fetch = () => Promise.reject(new Error('Something was sent.'))
  // biome-ignore lint/suspicious/noExplicitAny: The tests pass values that the types do not allow.
  const skein: any = new Skein({ baseURL, accessToken: 'x', fetch })
  // biome-ignore lint/suspicious/noExplicitAny: The tests pass values that the types do not allow.
  const webhook: any = new Webhook('https://skein.example.com/webhook/wbh_x/key', { fetch })

  test.each<[string, string, () => unknown]>([
    ['me', 'timeout', () => skein.me({ timeout: 1 })],
    ['request', 'repeatable', () => skein.request('{ me { id } }', {}, { repeatable: true })],
    ['thread', 'retry', () => skein.thread('thr_', { retry: 1 })],
    ['users', 'name', () => all(skein.users({ name: 'x' }))],
    ['groups', 'before', () => all(skein.groups({ before: 'x' }))],
    ['threads', 'kind, closed', () => all(skein.threads({ kind: 'dm', closed: true }))],
    ['search', 'author', () => all(skein.search('x', { author: 'x' }))],
    ['messages', 'lastt', () => all(skein.messages('thr_', { lastt: 1 }))],
    ['events', 'afterr', () => skein.events({ afterr: 'x' })],
    [
      'sendMessage',
      'retry',
      () => skein.sendMessage({ threadID: 'thr_', message: { text: 'x' } }, { retry: 1 }),
    ],
    ['upload', 'retry', () => skein.upload({ name: 'a', body: new Uint8Array() }, { retry: 1 })],
    ['post', 'retry', () => webhook.post({ text: 'x' }, { retry: 1 })],
    ['upload', 'retry', () => webhook.upload({ name: 'a', body: new Uint8Array() }, { retry: 1 })],
  ])('%s: %s', async (_method, names, call) => {
    const refused = (async () => call())()
    await expect(refused).rejects.toThrow(new TypeError(`Unknown option: ${names}.`))
  })

  test('in a client of a webhook', () => {
    const make = () => new Webhook('https://skein.example.com/webhook/wbh_x/key', { retry: 1 } as object)
    expect(make).toThrow(new TypeError('Unknown option: retry.'))
  })
})

describe('a host that never answered', () => {
  test('is named in the error, and is not called again', async () => {
    const host = `127.0.0.1:${await freePort()}`
    let calls = 0
    const fetch: typeof globalThis.fetch = (...args) => {
      calls += 1
      return globalThis.fetch(...args)
    }
    const skein = new Skein({ baseURL: `http://${host}`, accessToken: 'x', fetch })
    const error = await failureOf(skein.me())
    expect(error).toMatchObject({
      code: 'NO_ANSWER',
      message: `There was no answer from ${host}: ECONNREFUSED.`,
    })
    const webhook = new Webhook(`http://${host}/webhook/wbh_x/the-key`, { fetch })
    const refused = await failureOf(webhook.post({ text: 'x' }))
    expect(refused.message).toBe(error.message)
    expect(calls).toBe(2)
  })

  test('fails the call immediately, even if the network error has no code, as in browsers', async () => {
    const host = `127.0.0.1:${await freePort()}`
    let calls = 0
    const fetch: typeof globalThis.fetch = (...args) => {
      calls += 1
      return globalThis.fetch(...args).catch(() => Promise.reject(new TypeError('Failed to fetch')))
    }
    const skein = new Skein({ baseURL: `http://${host}`, accessToken: 'x', fetch })
    expect(await failureOf(skein.me())).toMatchObject({
      code: 'NO_ANSWER',
      isTemporary: false,
      message: `There was no answer from ${host}: the connection failed.`,
    })
    expect(calls).toBe(1)
  })
})
