import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refreshStarter } from '../../src/starter/refresh-starter.ts'
import { operatorToken, startService } from '../support/service.ts'

test('starter.json gets the operator token of the start, because the one before may have leaked', async () => {
  const service = await startService()
  await service.graphql(operatorToken, 'mutation { createStarterWorkspace { path } }')
  const read = async () => JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  const before = await read()
  expect(before.operatorToken).toBe(operatorToken)
  const { baseURL } = before
  await refreshStarter({ dataDir: service.dataDir, baseURL, webhookBaseURL: baseURL, operatorToken: 'new' })
  expect(await read()).toEqual({ ...before, operatorToken: 'new' })
})
