import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../support/process.ts'

test('with OTEL_EXPORTER_OTLP_ENDPOINT, a process sends its traces to the collector', async () => {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void collector.close())
  const { port } = collector.address() as AddressInfo
  const service = await startProcess({
    SKEIN_STARTER: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'skein-of-the-test',
  })
  await fetch(`${service.url}/health/version`)
  expect(await service.stop()).toBe(0)
  const sent = bodies.join('\n')
  expect(sent).toContain('/v1/traces')
  expect(sent).toContain('GET /health/version')
})
