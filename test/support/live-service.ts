import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'
import { type Service, startService } from './service.ts'

/** A service that listens, and moves events into the log. */
export type LiveService = Service & { port: number; url: string }

export async function startLiveService(env: Record<string, string> = {}): Promise<LiveService> {
  const service = await startService(env)
  const { eventLog } = service.app
  eventLog.start()
  // A request wakes the log. A verb that a test calls does not.
  const waking = setInterval(() => eventLog.wake(), 20)
  atEnd(() => clearInterval(waking))
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  return { ...service, port, url: `http://127.0.0.1:${port}/public/graphql` }
}
