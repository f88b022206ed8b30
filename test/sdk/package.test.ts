import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileProgram, installSDK, runProgram } from '../support/installed-sdk.ts'

const folder = await mkdtemp(join(tmpdir(), 'skein-sdk-'))
beforeAll(() => installSDK(folder))
afterAll(() => rm(folder, { recursive: true }))

const program = `
import { MeDocument, Skein, SkeinError, Webhook } from 'skein/sdk'

const skein = new Skein({ baseURL: 'http://127.0.0.1:1', accessToken: 'x', retries: 0 })
const name: Promise<string> = skein.me().then((me) => me.name)
const kind: Promise<'person' | 'app' | 'webhook'> = skein.request(MeDocument).then(({ me }) => me.kind)
// @ts-expect-error There is no such field.
const nothing = skein.me().then((me) => me.nothing)
// @ts-expect-error A message has a text.
export const unsent = () => skein.sendMessage({ threadID: 'thr_', message: {} })
// @ts-expect-error Credentials are whole.
export const unsigned = () => new Skein({ baseURL: 'http://127.0.0.1:1', clientID: 'app_' })
export const webhook = new Webhook('http://127.0.0.1:1/webhook/wbh_/key')
for (const call of [name, kind, nothing]) {
  await call.catch((error: unknown) => console.log(error instanceof SkeinError && error.code))
}
`

test('the package has types for browsers', async () => {
  const browsers = { lib: ['es2022', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' }
  await compileProgram(folder, program, browsers)
})

test('the package has types for Node, and runs with nothing of the service', async () => {
  await compileProgram(folder, program)
  expect((await runProgram(folder)).trim().split('\n')).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER'])
})
