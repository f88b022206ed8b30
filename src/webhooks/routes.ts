import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authenticateWebhook,
  cachedWebhook,
  recordUse,
  requireActiveWebhook,
} from '../apps/webhooks/authenticate-webhook.ts'
import { type Context, callerKey, type UserActor } from '../context.ts'
import { invalidField, notFound } from '../errors.ts'
import { uploadFile } from '../files/upload-file.ts'
import { allowOnly } from '../http/allow-only.ts'
import { readOnlyJSON, readPlainText } from '../http/bodies/json-body.ts'
import { isDecodable } from '../http/bodies/percent-encoding.ts'
import { leaveBodiesUnread, readUpload, uploadConfig } from '../http/bodies/uploads.ts'
import { sendProblem } from '../http/problems.ts'
import type { GuessLimiter } from '../http/rate-limits/guess-limiter.ts'
import { type RateLimits, uploadPolicy } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { addToLog } from '../http/request-log.ts'
import { sendParsed } from '../messages/send/send-message.ts'
import type { CallLog } from '../messages/webhook-calls/call-log.ts'
import { prefixOf } from '../platform/ids.ts'
import { databaseForCaller } from '../platform/request-database.ts'
import { answerOf, formatRoutes, withRightURL } from './formats/routes.ts'
import { managingRoutes } from './managing.ts'
import { type Query, readPayload, withWireNames } from './payload.ts'
import { beginNotes, noteProblem, recordCalls } from './record-calls.ts'
import { ownCallOf } from './repeat-call.ts'
import { requireHeaders } from './upload-headers.ts'

type Shared = Omit<Context, 'actor' | 'log'> & {
  rateLimits: RateLimits
  guessLimiter: GuessLimiter
  calls: CallLog
}
type WebhookRoute = { Params: { webhookID: string; key: string }; Querystring: Query }

const postPath = '/webhook/:webhookID/:key'
const uploadPath = `${postPath}/attachment`

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that the webhook posts as. */
    webhookActor: UserActor | null
  }
}

/** Serves `POST /webhook/<id>/<key>`, which posts a message, and `PUT .../attachment`, which uploads a file. */
export async function webhookRoutes(app: FastifyInstance, shared: Shared): Promise<void> {
  const visibleError = async (error: unknown, request: FastifyRequest) =>
    (await reasonToRefuse(shared, request)) ?? withWireNames(error)
  app.setErrorHandler(async (error, request, reply) => {
    const problem = withRightURL(await visibleError(error, request), request.body)
    noteProblem(request, problem)
    return sendProblem(problem, request, reply)
  })
  recordCalls(app, shared.calls, postPath)
  app.decorateRequest('webhookActor', null)
  const policy = { name: 'webhook', quota: shared.config.webhookRatePerMinute }
  const authenticate = async (request: FastifyRequest<WebhookRoute>, reply: FastifyReply) => {
    const { webhookID, key } = request.params
    if (prefixOf(webhookID) === 'wbh') addToLog(request, { webhookID })
    const credentials = { kind: 'webhook', id: webhookID, secret: key } as const
    const lookUp = () => authenticateWebhook(shared.db, webhookID, key)
    const own = ownCallOf(key)
    const actor =
      own?.actor ??
      cachedWebhook(webhookID, key) ??
      (await shared.guessLimiter.check(request as FastifyRequest, reply, credentials, lookUp))
    if (!actor) throw notFound('webhook')
    addToLog(request, { workspaceID: actor.workspaceID })
    beginNotes(request as FastifyRequest, actor, own?.id)
    await spend(shared.rateLimits, reply, [{ policy, key: webhookID }])
    request.webhookActor = actor
  }
  await app.register(async (scope) => postRoute(scope, shared, authenticate))
  await app.register(async (scope) => uploadRoute(scope, shared, authenticate))
  const { rateLimits } = shared
  const ownContext = (request: FastifyRequest<WebhookRoute>) => contextOf(shared, request)
  await app.register(formatRoutes, {
    path: postPath,
    policy,
    rateLimits,
    bodyLimit: shared.config.limits.formatBytes,
    authenticate,
    contextOf: ownContext,
    visibleError,
  })
  await app.register(managingRoutes, { path: postPath, authenticate, contextOf: ownContext, visibleError })
  allowOnly(app, postPath, ['GET', 'HEAD', 'POST', 'OPTIONS'])
  allowOnly(app, uploadPath, ['PUT', 'OPTIONS'])
}

type Hook = (request: FastifyRequest<WebhookRoute>, reply: FastifyReply) => Promise<void>

function postRoute(app: FastifyInstance, shared: Shared, authenticate: Hook): void {
  readOnlyJSON(
    app,
    'Set the Content-Type header to application/json, or to text/plain if the body is only the text of the message.',
  )
  readPlainText(app)
  const bodyLimit = shared.config.limits.jsonBytes
  app.post<WebhookRoute>(postPath, { onRequest: authenticate, bodyLimit }, async (request) => {
    const ctx = contextOf(shared, request)
    requireDecodableQuery(request)
    const { input, ignored } = readPayload(ctx, request.body, request.query)
    if (request.callNotes) request.callNotes.ignored = ignored
    const sent = await sendParsed(ctx, input)
    request.callNotes?.results.push(sent)
    await recordUse(ctx)
    ignored.push(...sent.ignored)
    return { ...answerOf(sent), ...(ignored.length > 0 && { ignored }) }
  })
}

function uploadRoute(app: FastifyInstance, shared: Shared, authenticate: Hook): void {
  leaveBodiesUnread(app)
  const policy = uploadPolicy(shared.config)
  app.put<WebhookRoute>(
    uploadPath,
    { onRequest: authenticate, config: uploadConfig },
    async (request, reply) => {
      const ctx = contextOf(shared, request)
      await spend(shared.rateLimits, reply, [{ policy, key: ctx.actor.userID }])
      await requireActiveWebhook(ctx)
      const { contentMD5, ...upload } = readUpload(request as FastifyRequest, reply)
      const headers = requireHeaders(request.headers['x-file-name']?.toString(), contentMD5)
      const file = await uploadFile(ctx, { ...upload, ...headers })
      await recordUse(ctx)
      return { id: file.id }
    },
  )
}

// Rejects malformed percent-encoding, which the query parser would keep as text.
function requireDecodableQuery({ url }: FastifyRequest<WebhookRoute>): void {
  const start = url.indexOf('?')
  if (start >= 0 && !isDecodable(url.slice(start)))
    throw invalidField('query', 'has percent-encoding that is malformed or not UTF-8')
}

// Returns `not_found` if the webhook has been disabled. Then no other error reveals that the webhook exists.
async function reasonToRefuse({ db }: Shared, { webhookActor }: FastifyRequest): Promise<unknown> {
  if (!webhookActor) return undefined
  return requireActiveWebhook({ db, actor: webhookActor }).catch((reason: unknown) => reason)
}

function contextOf(
  { db, config, storage }: Shared,
  { webhookActor, log }: FastifyRequest<WebhookRoute>,
): Context<UserActor> {
  if (!webhookActor) throw new Error('The webhook has not been authenticated')
  return { db: databaseForCaller(db, callerKey(webhookActor)), config, storage, actor: webhookActor, log }
}
