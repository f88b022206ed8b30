import type { Page } from 'playwright-core'
import { mutation } from '../support/mutations.ts'
import type { Site } from './site.ts'

// biome-ignore lint/suspicious/noExplicitAny: The tests know what they select.
type Data = Record<string, any>

/** Sends a GraphQL operation with the session of a page, and returns its data. Throws if there are errors. */
export async function ask(
  page: Page,
  { starter: { baseURL, workspaceID } }: Site,
  query: string,
  variables: object = {},
): Promise<Data> {
  const answer = await page.request.post(`${baseURL}/public/graphql`, {
    headers: { origin: baseURL, 'skein-workspace': workspaceID },
    data: { query, variables },
  })
  const { data, errors } = await answer.json()
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}

/** Runs a mutation with the session of a page, and returns its payload. */
export async function change(
  page: Page,
  site: Site,
  name: string,
  input: object,
  selection = '__typename',
): Promise<Data> {
  return (await ask(page, site, mutation(name, selection), { input }))[name]
}

/** Sends a message as the person of a page, and returns the IDs of the message and its thread. */
export async function send(
  page: Page,
  site: Site,
  input: object,
): Promise<{ messageID: string; threadID: string }> {
  const { message, thread } = await change(page, site, 'sendMessage', input, 'message { id } thread { id }')
  return { messageID: message.id, threadID: thread.id }
}
