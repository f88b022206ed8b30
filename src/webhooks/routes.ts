import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authenticateWebhook } from '../apps/webhooks/authenticate-webhook.ts'
import type { Context, UserActor } from '../context.ts'
import { notFound } from '../errors.ts'
import { uploadFile } from '../files/upload-file.ts'
import { readOnlyJSON } from '../json-body.ts'
import { postMessage } from '../messages/post-message.ts'
import { allowOnly } from '../not-allowed.ts'
import { sendContinue } from '../platform/http.ts'
import { sendProblem } from '../problems.ts'
import { rateLimiter } from '../rate-limit.ts'
import { readPayload, withWireNames } from './payload.ts'
import { readUploadHeaders } from './upload-headers.ts'

type Shared = Omit<Context, 'actor' | 'log'>
type WebhookRoute = { Params: { webhookID: string; key: string }; Querystring: { target?: unknown } }

const postPath = '/webhook/:webhookID/:key'
const uploadPath = `${postPath}/attachment`

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that the webhook posts as. */
    webhookActor: UserActor | null
  }
}

/** The webhook door: `POST /webhook/<id>/<key>` posts a message, `PUT .../attachment` uploads a file. */
export async function webhookDoor(app: FastifyInstance, shared: Shared): Promise<void> {
  app.setErrorHandler((error, request, reply) => sendProblem(withWireNames(error), request, reply))
  app.decorateRequest('webhookActor', null)
  const limitRate = await rateLimiter(app, {
    perMinute: shared.config.webhookRatePerMinute,
    keyOf: (request) => (request.params as WebhookRoute['Params']).webhookID,
  })
  const authenticate = async (request: FastifyRequest<WebhookRoute>) => {
    const { webhookID, key } = request.params
    request.webhookActor = (await authenticateWebhook(shared.db, webhookID, key)) ?? null
    if (!request.webhookActor) throw notFound('webhook')
    await limitRate(request as FastifyRequest)
  }
  await app.register(async (scope) => postRoute(scope, shared, authenticate))
  await app.register(async (scope) => uploadRoute(scope, shared, authenticate))
  allowOnly(app, postPath, ['POST'])
  allowOnly(app, uploadPath, ['PUT'])
}

type Hook = (request: FastifyRequest<WebhookRoute>) => Promise<void>

function postRoute(app: FastifyInstance, shared: Shared, authenticate: Hook): void {
  readOnlyJSON(app)
  const bodyLimit = shared.config.limits.jsonBytes
  app.post<WebhookRoute>(postPath, { onRequest: authenticate, bodyLimit }, async (request) => {
    const ctx = contextOf(shared, request)
    const { message, created } = await postMessage(ctx, readPayload(ctx, request.body, request.query.target))
    return { messageID: message.id, threadID: message.threadID, created }
  })
}

function uploadRoute(app: FastifyInstance, shared: Shared, authenticate: Hook): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async () => undefined)
  app.put<WebhookRoute>(
    uploadPath,
    { onRequest: authenticate, config: { readsBodyItself: true } },
    async (request, reply) => {
      const headers = readUploadHeaders(request.headers)
      const open = () => {
        sendContinue(request.raw, reply.raw)
        return request.raw
      }
      const file = await uploadFile(contextOf(shared, request), { ...headers, open })
      return { id: file.id }
    },
  )
}

function contextOf(shared: Shared, { webhookActor, log }: FastifyRequest<WebhookRoute>): Context {
  if (!webhookActor) throw new Error('The webhook has not been authenticated')
  return { ...shared, actor: webhookActor, log }
}
