import { postToWebhook, requestToken, uploadToWebhook, type World } from './factories.ts'
import { operatorToken, type Service } from './service.ts'
import { askForTicket, download, putBytes, uploadByTicket } from './uploads.ts'

type Answer = { statusCode: number; headers: Record<string, unknown>; body: string }

/** Calls of the endpoints for programs, and of the health check. All need the database, and return 200 if it works. */
export type Endpoints = Record<string, () => Promise<Answer>>

/** `tickets` is the number of possible uploads by ticket. */
export async function endpointsOf(
  service: Service,
  { webhook, publicGroup, app }: World,
  tickets = 80,
): Promise<Endpoints> {
  const file = await uploadByTicket(service, app.token, 'seen')
  const unused = await Promise.all(
    Array.from({ length: tickets }, (_, number) => askForTicket(service, app.token, bytesOf(number))),
  )
  const graphql = (token: string, source: string) =>
    service.app.inject({
      method: 'POST',
      url: '/public/graphql',
      headers: { authorization: `Bearer ${token}` },
      payload: { query: source },
    })
  const target = { target: publicGroup.id, text: 'x' }
  const send = `mutation { sendMessage(input: {
    thread: { recipients: ["${publicGroup.id}"] }, message: { text: "x" } }) { message { id } } }`
  return {
    token: () => requestToken(service, app.form),
    query: () => graphql(app.token, '{ me { id } }'),
    mutation: () => graphql(app.token, send),
    operator: () => graphql(operatorToken, '{ workspaces { nodes { id } } }'),
    post: () => postToWebhook(service, webhook.path, target),
    'post that opens a thread': () => postToWebhook(service, webhook.path, { ...target, threadSubject: 'y' }),
    upload: () => uploadToWebhook(service, webhook.path, 'bytes'),
    'upload by ticket': () => {
      const ticket = unused.pop()
      if (!ticket) throw new Error('All tickets have been used')
      return putBytes(service, ticket, bytesOf(unused.length))
    },
    download: () => download(service, file),
    ready: () => service.app.inject('/health/ready'),
  }
}

/** Makes each call `count` times, all at the same time. */
export async function callAll(endpoints: Endpoints, count: number) {
  const calls = Object.entries(endpoints).flatMap((endpoint) => Array.from({ length: count }, () => endpoint))
  return Promise.all(
    calls.map(async ([name, call]) => {
      const began = performance.now()
      const { statusCode: status, headers, body } = await call()
      const ms = Math.round(performance.now() - began)
      return { name, status, ms, retryAfter: headers['retry-after'], body: status === 200 ? '' : body }
    }),
  )
}

function bytesOf(ticket: number): string {
  return `bytes of ticket ${ticket}`
}
