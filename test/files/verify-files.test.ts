import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programOf } from '../../src/cli/program.ts'
import { makeWorld, uploadToWebhook } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { codesOf, operatorToken } from '../support/service.ts'
import { startServiceOn, storeNames } from '../support/stores.ts'
import { uploadByTicket } from '../support/uploads.ts'

const document = `query ($after: String) {
  verifyFiles(after: $after) { checkedCount next faults { sha256 kind fileIDs } } }`

const sha256Of = (text: string) => createHash('sha256').update(text).digest()

test.each(
  storeNames,
)('verifying the files in %s finds lost bytes, and nothing after they return', async (store) => {
  const service = await startServiceOn(store)
  const { app, operator, webhook } = await makeWorld(service)
  const upload = (text: string) => uploadToWebhook(service, webhook.path, text)
  const file = await uploadByTicket(service, app.token, 'lost')
  const other = (await upload('lost')).json()
  await upload('kept')
  await operator.storage.remove(sha256Of('lost'))
  const { data } = await service.graphql(operatorToken, document)
  const [fault] = data.verifyFiles.faults
  expect(data.verifyFiles).toEqual({ checkedCount: 2, next: null, faults: [fault] })
  const fileIDs = expect.arrayContaining([file.id, other.id])
  expect(fault).toEqual({ sha256: sha256Of('lost').toString('hex'), kind: 'missing', fileIDs })
  await upload('lost')
  expect((await service.graphql(operatorToken, document)).data.verifyFiles.faults).toEqual([])
})

test('the command lists damaged files and fails', async () => {
  const service = await startServiceOn('a directory')
  const { app } = await makeWorld(service)
  await uploadByTicket(service, app.token, 'right')
  const url = `http://127.0.0.1:${await listen(service)}`
  const written: string[] = []
  const verify = (...options: string[]) =>
    programOf({ env: { OPERATOR_TOKEN: operatorToken }, write: (text) => written.push(text) }).parseAsync(
      ['--url', url, 'files', 'verify', ...options],
      { from: 'user' },
    )
  await verify()
  expect(written).toEqual(['The bytes of all files are as they were uploaded: 1.\n'])
  const hex = sha256Of('right').toString('hex')
  await writeFile(join(service.dataDir, 'files', hex.slice(0, 2), hex.slice(2)), 'wrong')
  await expect(verify()).rejects.toThrow('Files with faults: 1 of 1.')
  expect(written.at(-1)).toMatch(new RegExp(`${hex} +damaged +fil_`))
  await expect(verify('--json')).rejects.toThrow('Files with faults: 1 of 1.')
  expect(JSON.parse(written.at(-1) ?? '')).toMatchObject({
    checkedCount: 1,
    faults: [{ sha256: hex, kind: 'damaged' }],
  })
})

test('a file that cannot be read is listed, and the others are checked too', async () => {
  const service = await startServiceOn('a directory')
  const { webhook } = await makeWorld(service)
  const pathOf = (hex: string) => join(service.dataDir, 'files', hex.slice(0, 2), hex.slice(2))
  for (const text of ['one', 'two', 'three']) await uploadToWebhook(service, webhook.path, text)
  const [first = '', , third = ''] = ['one', 'two', 'three']
    .map((text) => sha256Of(text).toString('hex'))
    .sort()
  await rm(pathOf(first))
  await mkdir(pathOf(first))
  await rm(pathOf(third))
  const { data } = await service.graphql(operatorToken, document)
  expect(data.verifyFiles).toMatchObject({
    checkedCount: 3,
    faults: [
      { sha256: first, kind: 'unreadable' },
      { sha256: third, kind: 'missing' },
    ],
  })
})

test('a wrong place to continue is refused, and an app has no such query', async () => {
  const service = await startServiceOn('a directory')
  const { app } = await makeWorld(service)
  expect(codesOf(await service.graphql(operatorToken, document, { after: 'x' }))).toEqual(['INVALID_INPUT'])
  expect((await service.graphql(app.token, document)).errors?.[0]?.message).toContain('verifyFiles')
})
