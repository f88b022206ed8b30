import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordUse } from '../../apps/webhooks/authenticate-webhook.ts'
import type { Context, UserActor } from '../../context.ts'
import { AppError, invalidField, toAppError } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { readOnlyJSON } from '../../http/bodies/json-body.ts'
import { sendProblem } from '../../http/problems.ts'
import type { Policy, RateLimits } from '../../http/rate-limits/rate-limits.ts'
import { spend } from '../../http/rate-limits/spend.ts'
import type { SendMessageResult } from '../../messages/send/send-message.ts'
import { readTarget } from '../payload.ts'
import { noteProblem } from '../record-calls.ts'
import { alertmanager } from './alerts/alertmanager.ts'
import { grafana } from './alerts/grafana.ts'
import type { Format, Operation } from './format.ts'
import { json } from './json.ts'
import { runOperations } from './run-format.ts'
import { slack } from './slack.ts'

// The first that recognizes a body counts.
const formats: readonly Format[] = [grafana, alertmanager, slack, json]

export const formatNames = formats.map(({ name }) => name)

type Route = { Params: { webhookID: string; key: string }; Querystring: Readonly<Record<string, unknown>> }
type Request = FastifyRequest<Route>

type Options = {
  path: string
  policy: Policy
  rateLimits: RateLimits
  bodyLimit: number
  authenticate: (request: Request, reply: FastifyReply) => Promise<void>
  contextOf: (request: Request) => Context<UserActor>
  /** Returns the error that the caller sees. */
  visibleError: (error: unknown, request: FastifyRequest) => Promise<unknown>
}

/** Serves `POST <webhook URL>/<format>`, for the bodies of other systems. */
export async function formatRoutes(app: FastifyInstance, options: Options): Promise<void> {
  readOnlyJSON(app, 'Set the Content-Type header to application/json.')
  readForm(app)
  for (const format of formats) await app.register(async (scope) => formatRoute(scope, format, options))
}

function readForm(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyText = body.toString()
    done(null, { ...parse(request.bodyText) })
  })
}

function formatRoute(app: FastifyInstance, format: Format, options: Options): void {
  const { path, policy, rateLimits, bodyLimit, authenticate, contextOf, visibleError } = options
  const { answer, refuse } = format
  const refuseAsSenderExpects = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const known = toAppError(await visibleError(error, request), request)
    noteProblem(request, known)
    if (known.code === 'rate_limited' && format.repeatsOnlyAfter503) {
      const { retryAfterSeconds } = known
      return sendProblem(new AppError('unavailable', known.message, { retryAfterSeconds }), request, reply)
    }
    if (!refuse || known.status >= 500) return sendProblem(known, request, reply)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
    return reply.code(known.status).type('text/plain; charset=utf-8').send(refuse(known))
  }
  app.setErrorHandler(refuseAsSenderExpects)
  const url = `${path}/${format.name}`
  allowOnly(app, url, ['POST', 'OPTIONS'])
  app.post<Route>(url, { onRequest: authenticate, bodyLimit }, async (request, reply) => {
    const ctx = contextOf(request)
    const { target, groupID } = readTarget(request.query.target)
    const { limits, mentionSchemes } = ctx.config
    const settings = { groupID, mentionScheme: String(mentionSchemes[0]), notifiesResolved: false, limits }
    const reading = format.read({ headers: request.headers, body: request.body, settings })
    if ('skip' in reading && request.callNotes) request.callNotes.skipped = reading.skip
    if ('skip' in reading) return answer ? reply.type('text/plain').send(answer) : { skipped: reading.skip }
    const { operations } = reading
    const key = request.params.webhookID
    await spend(rateLimits, reply, [{ policy, key, points: pointsOf(operations) }])
    const note = (sent: SendMessageResult) => request.callNotes?.results.push(sent)
    const outcomes = await runOperations({ ctx, target, note }, operations)
    await recordUse(ctx)
    return answer
      ? reply.type('text/plain').send(answer)
      : { messages: outcomes.filter((outcome) => outcome !== null).map(answerOf) }
  })
}

// The request itself is already paid. Most operations that only update find nothing.
function pointsOf(operations: readonly Operation[]): number {
  const updates = operations.filter(({ onlyUpdates }) => onlyUpdates).length
  return Math.max(0, operations.length - updates + Math.ceil(updates / 25) - 1)
}

/** Returns the part of an answer that says what became of a message. */
export function answerOf({ messageID, threadID, created, threadCreated, isStale }: SendMessageResult) {
  return { messageID, threadID, created, threadCreated, ...(isStale && { stale: true }) }
}

/** Returns an error of the plain URL with the URL that a body is for, if it is of a known format. */
export function withRightURL(error: unknown, body: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_input') return error
  const format = formats.find(({ recognizes }) => recognizes(body))
  if (!format) return error
  return invalidField('body', `looks like a body of ${format.name}; send it to <webhook URL>/${format.name}`)
}
