import { expect } from 'vitest'
import { type CallOptions, Skein, SkeinError, Webhook } from '../../src/sdk/index.ts'
import { makeWorld, redirectURI, type World } from './factories.ts'
import type { TwistingProxy } from './proxy.ts'
import type { Service } from './service.ts'

/** A world with a client of its app and one of its webhook, both through the proxy. */
export async function makeClients(service: Service, proxy: TwistingProxy, options: CallOptions = {}) {
  const world = await makeWorld(service)
  const skein = new Skein({ ...credentialsOf(proxy, world), ...options })
  const webhook = new Webhook(`${proxy.url}${world.webhook.path}`)
  return { world, skein, webhook }
}

/** What the app signs in with. */
export function credentialsOf(proxy: TwistingProxy, { workspaceID, app }: World) {
  return { baseURL: proxy.url, workspaceID, clientID: app.id, clientSecret: app.clientSecret, redirectURI }
}

/** The SkeinError that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<SkeinError> {
  const error: unknown = await call.then(
    (result) => ({ result }),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SkeinError)
  return error as SkeinError
}

/** All that a list gives. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}
