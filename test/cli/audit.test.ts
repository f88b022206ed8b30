import { expect, test } from 'vitest'
import { programOf } from '../../src/cli/program.ts'
import { makeWorld } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { operatorToken } from '../support/service.ts'

const service = await startLiveService()
await makeWorld(service)

async function audit(...options: string[]): Promise<object[]> {
  const written: string[] = []
  const env = { OPERATOR_TOKEN: operatorToken, DATA_DIR: service.dataDir }
  const program = programOf({ env, write: (text) => written.push(text) })
  const url = `http://127.0.0.1:${service.port}`
  await program.parseAsync(['--url', url, 'audit', '--json', ...options], { from: 'user' })
  return JSON.parse(written.join(''))
}

test('the audit command begins 30 days before --until', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
  expect(await audit('--until', inDays(20))).not.toEqual([])
  expect(await audit('--until', inDays(40))).toEqual([])
})

test('the audit command accepts a date, and refuses what is not a time in a sentence', async () => {
  expect(await audit('--since', '2020-01-01')).not.toEqual([])
  expect(await audit('--until', '2020-01-01')).toEqual([])
  await expect(audit('--since', 'yesterday')).rejects.toThrow('It must be a date, such as 2026-01-31')
})
