import type { Page } from 'playwright-core'
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

/** Sends a message as the person of a page, and returns the IDs of the message and its thread. */
export async function send(
  page: Page,
  site: Site,
  input: object,
): Promise<{ messageID: string; threadID: string }> {
  const query = `mutation ($input: SendMessageInput!) {
    sendMessage(input: $input) { message { id } thread { id } }
  }`
  const { message, thread } = (await ask(page, site, query, { input })).sendMessage
  return { messageID: message.id, threadID: thread.id }
}
