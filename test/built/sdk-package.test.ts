import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileProgram, installSDK, installTarball, runProgram } from '../support/installed-sdk.ts'

const run = promisify(execFile)

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
// @ts-expect-error A message must have text.
export const unsent = () => skein.sendMessage({ threadID: 'thr_', message: {} })
// @ts-expect-error The credentials are incomplete.
export const unsigned = () => new Skein({ baseURL: 'http://127.0.0.1:1', clientID: 'app_' })
export const webhook = new Webhook('http://127.0.0.1:1/webhook/wbh_x/key')
for (const call of [name, kind, nothing]) {
  await call.catch((error: unknown) => console.log(error instanceof SkeinError && error.code))
}
`

test('the package has types for browsers', async () => {
  const browsers = { lib: ['es2022', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' }
  await compileProgram(folder, program, browsers)
})

test('the package has types for Node, and runs without the service', async () => {
  await compileProgram(folder, program)
  expect((await runProgram(folder)).trim().split('\n')).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER'])
})

describe('the packed client', async () => {
  const project = await mkdtemp(join(tmpdir(), 'skein-sdk-'))
  beforeAll(() => installTarball(project))
  afterAll(() => rm(project, { recursive: true }))
  const packed = program.replace('skein/sdk', 'skein-sdk')

  test('has no dependencies', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/skein-sdk'])
  })

  test('has types and runs with import', async () => {
    await compileProgram(project, packed, { module: 'nodenext', lib: ['es2022', 'dom'], types: [] })
    expect((await runProgram(project)).trim().split('\n')).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER'])
  })

  test('has types and runs with require', async () => {
    const common = { module: 'nodenext', lib: ['es2022', 'dom'], types: [] }
    const source = packed.replace(
      'for (const call of [name, kind, nothing]) {\n  await call',
      'for (const call of [name, kind, nothing]) {\n  void call',
    )
    await compileProgram(project, source, common, 'cts')
    const { stdout } = await run(process.execPath, ['program.cjs'], { cwd: project })
    expect(stdout.trim().split('\n')).toEqual(['NO_ANSWER', 'NO_ANSWER', 'NO_ANSWER'])
  })

  test('can be bundled for browsers', async () => {
    await writeFile(join(project, 'page.js'), "import { Skein } from 'skein-sdk'\nglobalThis.Skein = Skein\n")
    const { outputFiles, metafile } = await build({
      absWorkingDir: project,
      entryPoints: ['page.js'],
      bundle: true,
      write: false,
      platform: 'browser',
      metafile: true,
    })
    expect(outputFiles[0]?.text).toContain('Skein')
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
  })

  test('sends a syntax tree without graphql-js', async () => {
    const tree = JSON.stringify(parse('query Name { me { name } }', { noLocation: true }))
    await writeFile(
      join(project, 'program.mjs'),
      `
import { createServer } from 'node:http'
import { Skein } from 'skein-sdk'

const server = createServer(async (request, response) => {
  const [body] = await request.toArray()
  response.end(JSON.stringify({ data: { query: JSON.parse(body).query } }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const skein = new Skein({ baseURL: 'http://127.0.0.1:' + server.address().port, accessToken: 'x' })
console.log((await skein.request(${tree})).query)
server.close()
`,
    )
    expect((await runProgram(project)).replace(/\s+/g, ' ').trim()).toBe('query Name { me { name } }')
  })

  test('has the licenses of the bundled packages', async () => {
    const licenses = await readFile(join(project, 'node_modules/skein-sdk/LICENSES.txt'), 'utf8')
    for (const name of ['graphql', 'p-retry', '@noble/hashes']) expect(licenses).toContain(`${name}\n`)
  })
})
