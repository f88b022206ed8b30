import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authenticateWebhook,
  cachedWebhook,
  requireActiveWebhook,
} from '../apps/webhooks/authenticate-webhook.ts'
import { type Context, callerKey, type WebhookActor } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { sendProblem } from '../http/problems.ts'
import type { GuessLimiter } from '../http/rate-limits/guess-limiter.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { addToLog } from '../http/request-log.ts'
import type { CallLog } from '../messages/webhook-calls/call-log.ts'
import { prefixOf } from '../platform/ids.ts'
import { databaseForCaller } from '../platform/request-database.ts'
import { formatRoutes } from './formats/routes.ts'
import { managingRoutes } from './managing.ts'
import { type Query, withWireNames } from './payload.ts'
import { postRoute } from './post-route.ts'
import { beginNotes, noteProblem, recordCalls } from './record-calls.ts'
import { ownCallOf } from './repeat-call.ts'
import { uploadRoute } from './upload-route.ts'

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
    webhookActor: WebhookActor | null
  }
}

/** Serves `POST /webhook/<id>/<key>`, which posts a message, and `PUT .../attachment`, which uploads a file. */
export async function webhookRoutes(app: FastifyInstance, shared: Shared): Promise<void> {
  const visibleError = async (error: unknown, request: FastifyRequest) =>
    (await reasonToRefuse(shared, request, error)) ?? withWireNames(error)
  app.setErrorHandler(async (error, request, reply) => {
    const problem = await visibleError(error, request)
    noteProblem(request, problem)
    return sendProblem(problem, request, reply)
  })
  recordCalls(app, shared.calls, postPath)
  app.decorateRequest('webhookActor', null)
  app.decorateRequest('bodyBytes', null)
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
    request.webhookActor = actor
    beginNotes(request as FastifyRequest, actor, own?.id)
    await spend(shared.rateLimits, reply, [{ policy, key: webhookID }])
  }
  const { db, config, rateLimits } = shared
  const ownContext = (request: FastifyRequest<WebhookRoute>) => contextOf(shared, request)
  const options = {
    db,
    config,
    path: postPath,
    policy,
    rateLimits,
    bodyLimit: config.limits.formatBytes,
    authenticate,
    contextOf: ownContext,
    visibleError,
  }
  await app.register(postRoute, { ...options, maxPlainBytes: config.limits.jsonBytes })
  await app.register(uploadRoute, { ...options, path: uploadPath })
  await app.register(formatRoutes, options)
  await app.register(managingRoutes, options)
  allowOnly(app, postPath, ['GET', 'HEAD', 'POST', 'OPTIONS'])
  allowOnly(app, uploadPath, ['PUT', 'OPTIONS'])
}

// Returns `not_found` if the webhook has been disabled. Then no other error reveals that the webhook exists. Does not
// look it up for calls over the limit, because the limit also protects the database.
async function reasonToRefuse(
  { db }: Shared,
  { webhookActor }: FastifyRequest,
  error: unknown,
): Promise<unknown> {
  if (!webhookActor || (error instanceof AppError && error.code === 'rate_limited')) return undefined
  return requireActiveWebhook(db, webhookActor).then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

function contextOf(
  { db, config, storage }: Shared,
  { webhookActor, log }: FastifyRequest<WebhookRoute>,
): Context<WebhookActor> {
  if (!webhookActor) throw new Error('The webhook has not been authenticated')
  return { db: databaseForCaller(db, callerKey(webhookActor)), config, storage, actor: webhookActor, log }
}
