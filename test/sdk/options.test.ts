import { describe, expect, test } from 'vitest'
import { Skein, type SkeinOptions, Webhook } from '../../src/sdk/index.ts'
import { freePort } from '../support/process.ts'
import { failureOf } from '../support/sdk.ts'

const baseURL = 'https://skein.example.com'
const app = { workspaceID: 'wks_', clientID: 'app_', clientSecret: 's', redirectURI: 'https://x.example' }
const make = (options: object) => () => new Skein(options as SkeinOptions)

describe('a client is not constructed', () => {
  test.each<[string, object, RegExp]>([
    ['without a base URL', app, /^baseURL is required, such as https:/],
    [
      'with a base URL of another scheme',
      { ...app, baseURL: 'localhost:3000' },
      /^baseURL must be an http or https/,
    ],
    ['without credentials', { baseURL }, /^Give an accessToken, or the credentials of an app: workspaceID, /],
    [
      'with some of the credentials',
      { baseURL, workspaceID: 'wks_', clientID: 'app_' },
      /^clientSecret is required .* redirectURI is required/,
    ],
    ['with an empty secret', { ...app, baseURL, clientSecret: '' }, /^clientSecret must be a string\.$/],
    ['with negative retries', { ...app, baseURL, retries: -1 }, /^retries must be a whole number/],
    [
      'with a time limit of 0',
      { ...app, baseURL, timeoutMs: 0 },
      /^timeoutMs must be a number of milliseconds/,
    ],
    ['with a fetch that is none', { ...app, baseURL, fetch: {} }, /^fetch must be a function/],
  ])('%s', (_case, options, message) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(message)
  })

  test('of a webhook by something else than its URL, which is not repeated', () => {
    const make = () => new Webhook('https://skein.example.com/hook/secret')
    expect(make).toThrow(/^This is not a webhook's URL/)
    expect(make).not.toThrow(/secret/)
  })
})

describe('a host that never answered', () => {
  test('is named, and is not asked again', async () => {
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

  test('fails at once also where the cause has no code, as in browsers', async () => {
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
