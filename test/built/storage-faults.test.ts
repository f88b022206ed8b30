import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, rename, symlink, unlink } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, uploadToWebhook } from '../support/factories.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { md5Of } from '../support/uploads.ts'

// Linux does not allow new files in /sys, even to root, and lists the descriptors of a process in /proc.
describe.runIf(process.platform === 'linux')('an upload returns 503 with Retry-After', () => {
  test('if the data directory is not writable, and 200 when it is writable again', async () => {
    const service = await startService()
    const { webhook } = await makeWorld(service)
    const incoming = join(service.dataDir, 'files/incoming')
    await rename(incoming, `${incoming}-away`)
    await symlink('/sys/kernel', incoming)
    const refused = await uploadToWebhook(service, webhook.path, 'x')
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
    expect(refused.json().detail).toBe('The service cannot read or write its files. Try again later.')
    expect(refused.headers['retry-after']).toBe('5')
    await unlink(incoming)
    await rename(`${incoming}-away`, incoming)
    expect((await uploadToWebhook(service, webhook.path, 'x')).statusCode).toBe(200)
  })

  describe('if the process', () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let service: RunningProcess
    let url = ''
    beforeAll(async () => {
      service = await startProcess()
      const starter = JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
      url = `${service.url}${new URL(starter.webhookURL).pathname}/attachment`
      // Connects before the limit is set, because the system resets a connection if the process has no free descriptor.
      expect((await put(url, agent, 'x')).status).toBe(200)
    })
    afterAll(async () => {
      agent.destroy()
      expect(await service.stop()).toBe(0)
    })

    test('has so many open files that it can do only a part of an upload', async () => {
      const statuses: (number | undefined)[] = []
      const free = firstFreeDescriptor(service.child.pid)
      // The digests of more than 64 KiB are computed in a thread.
      for (let more = 1; statuses.at(-1) !== 200 && more < 100; more += 1) {
        limitFiles(service.child.pid, free + more)
        statuses.push((await put(url, agent, 'x'.repeat(100_000))).status)
      }
      expect(new Set(statuses)).toEqual(new Set([503, 200]))
    })

    test('has too many open files, and 200 when it can open more', async () => {
      limitFiles(service.child.pid, firstFreeDescriptor(service.child.pid))
      expect(await put(url, agent, 'x')).toEqual({ status: 503, retryAfter: '5', code: 'unavailable' })
      limitFiles(service.child.pid, 1024)
      expect((await put(url, agent, 'x')).status).toBe(200)
    })
  })
})

function firstFreeDescriptor(pid: number | undefined): number {
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
  let free = 0
  while (used.has(free)) free += 1
  return free
}

function limitFiles(pid: number | undefined, soft: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:`])
}

function put(url: string, agent: Agent, body: string) {
  type Answer = { status: number | undefined; retryAfter: string | undefined; code: string | undefined }
  return new Promise<Answer>((resolve, reject) => {
    const headers = { 'content-length': body.length, 'content-md5': md5Of(body), 'x-file-name': 'x' }
    const sent = request(url, { method: 'PUT', agent, headers }, (answer) => {
      answer.setEncoding('utf8').on('data', (text: string) => {
        const { code } = JSON.parse(text)
        resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'], code })
      })
    })
    sent.on('error', reject).end(body)
  })
}
