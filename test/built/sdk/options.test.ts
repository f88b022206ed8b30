import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Skein, type SkeinOptions, Webhook } from '../../../src/sdk/index.ts'
import { freePort } from '../../support/process.ts'
import { failureOf } from '../../support/sdk.ts'

const baseURL = 'https://skein.example.com'
const app = { workspaceID: 'wks_', clientID: 'app_', clientSecret: 's', redirectURI: 'https://x.example' }
const make = (options: object) => () => new Skein(options as SkeinOptions)

describe('a client is not constructed', () => {
  test.each<[string, object, RegExp]>([
    ['without a base URL', app, /^baseURL is required, for example https:/],
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
    ['with an empty secret', { ...app, baseURL, clientSecret: '' }, /^clientSecret must not be empty\.$/],
    [
      'with credentials and an access token',
      { ...app, baseURL, accessToken: 'x' },
      /^Give either accessToken or workspaceID, clientID, clientSecret and redirectURI, not both\.$/,
    ],
    [
      'with a query in its base URL',
      { ...app, baseURL: `${baseURL}?a=1` },
      /^baseURL must be .* without a query/,
    ],
    [
      'with a fragment in its base URL',
      { ...app, baseURL: `${baseURL}#a` },
      /^baseURL must be .* or fragment/,
    ],
    [
      'with an unknown option',
      { ...app, baseURL, timeout: 1 },
      /^timeout is not an option: the options are baseURL, /,
    ],
    ['with negative retries', { ...app, baseURL, retries: -1 }, /^retries must be a whole number/],
    [
      'with a time limit of 0',
      { ...app, baseURL, timeoutMs: 0 },
      /^timeoutMs must be a number of milliseconds/,
    ],
    ['with a fetch that is not a function', { ...app, baseURL, fetch: {} }, /^fetch must be a function/],
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

  test('in a runtime without fetch', () => {
    onTestFinished(() => void vi.unstubAllGlobals())
    vi.stubGlobal('fetch', undefined)
    const message = 'fetch is required because this environment has no global fetch.'
    expect(make({ ...app, baseURL })).toThrow(message)
    expect(() => new Webhook('https://skein.example.com/webhook/wbh_x/key')).toThrow(message)
    expect(make({ ...app, baseURL, fetch: () => undefined })).not.toThrow()
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

describe('an invalid call is refused, and nothing is sent', () => {
  const fetch = () => Promise.reject(new Error('Something was sent.'))
  // biome-ignore lint/suspicious/noExplicitAny: The tests pass values that the types refuse.
  const skein: any = new Skein({ baseURL, accessToken: 'x', fetch })
  // biome-ignore lint/suspicious/noExplicitAny: The tests pass values that the types do not allow.
  const webhook: any = new Webhook('https://skein.example.com/webhook/wbh_x/key', { fetch })
  const names = 'signal, retries, attemptTimeoutMs and timeoutMs'

  test.each<[string, string, () => unknown]>([
    ['me', 'timeoutMs must be a number of milliseconds above 0.', () => skein.me({ timeoutMs: -1 })],
    ['me', 'retries must be a whole number, 0 or more.', () => skein.me({ retries: 'x' })],
    ['me', 'options must be an object.', () => skein.me('x')],
    ['request', 'document is required.', () => skein.request()],
    ['request', 'variables must be an object.', () => skein.request('{ me { id } }', 'x')],
    ['sendMessage', 'input is required.', () => skein.sendMessage()],
    ['sendMessage', 'message is required.', () => skein.sendMessage({ threadID: 'thr_' })],
    ['sendMessage', 'message.text is required.', () => skein.sendMessage({ threadID: 'thr_', message: {} })],
    [
      'sendMessage',
      'thread.recipients is required.',
      () => skein.sendMessage({ thread: {}, message: { text: 'x' } }),
    ],
    [
      'sendMessage',
      'thread.threadby is not an option: the options are recipients, subject, threadBy and fromMessageID. message.foo is',
      () => skein.sendMessage({ thread: { recipients: [], threadby: 'k' }, message: { text: 'x', foo: 1 } }),
    ],
    ['sendMessage', 'message.text must be a string.', () => skein.sendMessage({ message: { text: 1 } })],
    ['editMessage', 'input is required.', () => skein.editMessage()],
    ['editMessage', 'messageID is required.', () => skein.editMessage({ text: 'x' })],
    ['addReaction', 'emoji must be a string.', () => skein.addReaction({ messageID: 'msg_', emoji: null })],
    ['markRead', 'upTo is not an option', () => skein.markRead({ threadID: 'thr_', upTo: 'msg_' })],
    ['thread', 'id is required.', () => skein.thread()],
    ['dm', 'userID is required.', () => skein.dm()],
    ['search', 'query is required.', () => skein.search()],
    ['messages', 'threadID is required.', () => skein.messages()],
    [
      'messages',
      'lastt is not an option: the options are last, around, ',
      () => skein.messages('thr_', { lastt: 1 }),
    ],
    [
      'users',
      `name is not an option: the options are email, search, after, ${names}.`,
      () => skein.users({ name: 'x' }),
    ],
    ['groups', 'after must be a string.', () => skein.groups({ after: 1 })],
    [
      'threads',
      `kind is not an option: the options are filter, order, after, ${names}. To filter, give { filter: { kind } }.`,
      () => skein.threads({ kind: 'dm' }),
    ],
    [
      'threads',
      'filter.kind must be dm, groupChat or thread. filter.knd is not an option: the options are groupID, ',
      () => skein.threads({ filter: { kind: 'x', knd: 'dm' } }),
    ],
    ['threads', 'order must be created or lastMessage.', () => skein.threads({ order: 'newest' })],
    ['threads', 'filter must be an object.', () => skein.threads({ filter: 'dm' })],
    ['search', 'filter.author is not an option', () => skein.search('x', { filter: { author: 'x' } })],
    [
      'search',
      'filter.createdAfter must be a time in ISO 8601, such as 2026-01-31T12:00:00Z.',
      () => skein.search('x', { filter: { createdAfter: 'yesterday' } }),
    ],
    [
      'events',
      'afterr is not an option: the options are after, types, threadID, groupID and signal.',
      () => skein.events({ afterr: 'x' }),
    ],
    ['events', 'after must not be empty.', () => skein.events({ after: '' })],
    ['events', 'types must be an array of messageCreated, ', () => skein.events({ types: ['messageSent'] })],
    ['events', 'signal must be an AbortSignal.', () => skein.events({ signal: 1000 })],
    ['upload', 'file is required.', () => skein.upload()],
    ['upload', 'name is required.', () => skein.upload({})],
    ['post', 'message is required.', () => webhook.post()],
    ['post', 'text is required.', () => webhook.post({ target: 'grp_' })],
    [
      'post',
      'threadby is not an option: the options are text, ',
      () => webhook.post({ text: 'x', threadby: 'k' }),
    ],
    [
      'post',
      `retry is not an option: the options are ${names}.`,
      () => webhook.post({ text: 'x' }, { retry: 1 }),
    ],
    ['upload', 'file is required.', () => webhook.upload()],
  ])('%s: %s', async (_name, message, call) => {
    const refused = (async () => call())()
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(message)
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
