import { Agent, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeWorld, say } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'
import { type Known, type Request, requestOf } from './doors.ts'

const total = Number(process.env.FUZZ_REQUESTS ?? 100_000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e6)
const [atOnce, perWorld] = [20, 2000]
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

const noLimits = Object.fromEntries(
  [
    'WEBHOOK_RATE_PER_MINUTE',
    'TOKEN_RATE_PER_MINUTE',
    'WRONG_CREDENTIALS_PER_MINUTE',
    'SIGNIN_ATTEMPTS_PER_MINUTE',
  ].map((name) => [name, '0']),
)
const service = await startService({ ...noLimits, GRAPHQL_OPERATIONS_AT_ONCE: '100' })
await service.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = service.app.server.address() as AddressInfo

/** Makes a new workspace, because random requests delete what they find. */
async function makeKnown(): Promise<Known> {
  const world = await makeWorld(service)
  const { workspaceID, ada, publicGroup, privateGroup, webhook, app, as } = world
  const { thread, message } = await say(as(ada.id), [publicGroup.id], 'one', 'One')
  const { cookie } = await signedIn(service, world, 'admin')
  const person = { cookie, origin: service.config.baseURL, 'skein-workspace': workspaceID }
  return {
    ids: [workspaceID, ada.id, publicGroup.id, privateGroup.id, thread.id, message.id, webhook.id, app.id],
    webhookPath: webhook.path,
    callers: [{ authorization: `Bearer ${app.token}` }, person],
    operator: { authorization: `Bearer ${service.config.operatorToken}` },
    client: app.form,
  }
}

/** Returns the status, and the body of an answer that says that the service has failed. */
function send({ method, path, headers, body }: Request): Promise<{ status: number; failure: string }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode: status = 0 } = answer
        const read = Buffer.concat(parts).toString()
        resolve({ status, failure: status >= 500 || read.includes('"INTERNAL"') ? read.slice(0, 500) : '' })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test(`all doors answer ${total} random requests without an error of the service (FUZZ_SEED=${seed})`, async () => {
  const statuses = new Map<number, number>()
  for (let done = 0, round = 0; done < total; done += perWorld, round += 1) {
    const requests = requestOf(await makeKnown())
    const together = fc.array(requests, { minLength: atOnce, maxLength: atOnce })
    const property = fc.asyncProperty(together, async (sent) => {
      const answers = await Promise.all(sent.map(send))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect(
        answers.flatMap(({ failure }, index) => (failure ? [{ failure, request: sent[index] }] : [])),
      ).toEqual([])
    })
    await fc.assert(property, {
      seed: seed + round,
      numRuns: Math.min(perWorld, total) / atOnce,
      endOnFailure: true,
    })
  }
  const errors = service.log.filter((line) => JSON.parse(line).level >= 50)
  process.stdout.write(
    `random requests by status: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`,
  )
  expect(errors).toEqual([])
})
