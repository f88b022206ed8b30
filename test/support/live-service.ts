import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'
import { type Service, startService } from './service.ts'

/** A service that listens, and moves events into the log. */
export type LiveService = Service & { port: number; url: string }

/** Makes a service listen, and returns its port. */
export async function listen({ app }: Service): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

export async function startLiveService(env: Record<string, string> = {}): Promise<LiveService> {
  const service = await startService(env)
  const { eventLog } = service.app
  eventLog.start()
  // A request wakes the log. A verb that a test calls does not.
  const waking = setInterval(() => eventLog.wake(), 100)
  atEnd(() => clearInterval(waking))
  const port = await listen(service)
  return { ...service, port, url: `http://127.0.0.1:${port}/public/graphql` }
}
