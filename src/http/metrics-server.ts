import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { metricsText, registry } from '../platform/metrics.ts'

/** Serves `GET /metrics` at an address of its own, with the metrics of Node besides ours. Returns how to stop that. */
export async function serveMetrics(address: { host: string; port: number }): Promise<() => Promise<void>> {
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => void answer(request, response))
  server.listen(address)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}

async function answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET' || url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
  response.setHeader('content-type', registry.contentType)
  response.end(await metricsText())
}
