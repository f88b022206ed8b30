import { expect } from 'vitest'
import { type CallOptions, Skein, SkeinError, Webhook } from '../../src/sdk/index.ts'
import { makeWorld, redirectURI, type World } from './factories.ts'
import type { TwistingProxy } from './proxy.ts'
import type { Service } from './service.ts'

/** Creates a world, a client of its app and a client of its webhook. Both clients use the proxy. */
export async function makeClients(service: Service, proxy: TwistingProxy, options: CallOptions = {}) {
  const world = await makeWorld(service)
  const skein = new Skein({ ...credentialsOf(proxy, world), ...options })
  const webhook = new Webhook(`${proxy.url}${world.webhook.path}`)
  return { world, skein, webhook }
}

export function credentialsOf(proxy: TwistingProxy, { workspaceID, app }: World) {
  return { baseURL: proxy.url, workspaceID, clientID: app.id, clientSecret: app.clientSecret, redirectURI }
}

/** Returns the SkeinError of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<SkeinError> {
  const error: unknown = await call.then(
    (result) => ({ result }),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SkeinError)
  return error as SkeinError
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}
