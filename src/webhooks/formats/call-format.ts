import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordUse, requireCurrentSettings } from '../../apps/webhooks/authenticate-webhook.ts'
import type { Config } from '../../config.ts'
import type { Context, WebhookActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { AppError } from '../../errors.ts'
import { prepareFailure, writeProblem } from '../../http/problems.ts'
import type { Policy, RateLimits } from '../../http/rate-limits/rate-limits.ts'
import type { SendMessageResult } from '../../messages/send/send-message.ts'
import { requireAllowedTarget } from '../allowed-target.ts'
import { readTarget } from '../payload.ts'
import { noteProblem } from '../record-calls.ts'
import { chargeOperations } from './charge-operations.ts'
import type { Format, Operation } from './format.ts'
import { runOperations } from './run-format.ts'

export type CallRequest = {
  Params: { webhookID: string; key: string }
  Querystring: Readonly<Record<string, unknown>>
}
type Request = FastifyRequest<CallRequest>

type Operations = [Operation, ...Operation[]]

export type CallOptions = {
  db: Database
  config: Config
  path: string
  policy: Policy
  rateLimits: RateLimits
  bodyLimit: number
  authenticate: (request: Request, reply: FastifyReply) => Promise<void>
  contextOf: (request: Request) => Context<WebhookActor>
  /** Returns the error that the caller sees. */
  visibleError: (error: unknown, request: FastifyRequest) => Promise<unknown>
}

/** Writes the messages that the body of a request becomes. Returns the body of the answer. */
export async function callFormat(
  format: Format,
  ctx: Context<WebhookActor>,
  { query, params, headers, body, callNotes }: Request,
  reply: FastifyReply,
  { policy, rateLimits }: CallOptions,
): Promise<object | string> {
  const { target, groupID } = readTarget(ctx, query.target)
  const { allowedTargets, resolvedCalls: notifiesResolved, templates } = ctx.actor.webhook
  if (allowedTargets.length > 0) await requireAllowedTarget(ctx, target)
  const { limits, mentionSchemes } = ctx.config
  const settings = { groupID, mentionScheme: String(mentionSchemes[0]), notifiesResolved, templates, limits }
  const skip = (reason: string) => {
    if (callNotes) callNotes.skipped = reason
    return answerWith(format, reply, { skipped: reason })
  }
  const reading = format.read({ headers, body, settings })
  if ('skip' in reading) {
    await requireCurrentSettings(ctx)
    return skip(reading.skip)
  }
  const operations =
    query.allowMentions === 'false' ? withoutMentions(reading.operations) : reading.operations
  const charge = { policy, key: params.webhookID }
  const refund = await chargeOperations(rateLimits, reply, charge, operations)
  let isWritten = false
  const note = (sent: SendMessageResult) => {
    isWritten = true
    callNotes?.results.push(sent)
    if (callNotes) callNotes.ignored = [...callNotes.ignored, ...sent.ignored]
  }
  const outcomes = await runOperations({ ctx, target, note }, operations).catch(async (error) => {
    if (!isWritten) await refund()
    throw error
  })
  await recordUse(ctx)
  const results = outcomes.filter((outcome) => outcome !== null)
  if (results.length === 0) return skip(nothingToUpdate)
  if (format.answerCall) {
    const call = { webhookID: ctx.actor.webhook.id, query, body, operations, results }
    const answer = format.answerCall(call)
    return reply.code(answer.status).send(answer.body)
  }
  const messages = results.map((result) => answerOf(result, result.ignored))
  return answerWith(format, reply, { messages })
}

const nothingToUpdate = 'The message or the thread that the call is about does not exist here.'

function withoutMentions([first, ...rest]: Operations): Operations {
  return [
    { ...first, allowMentions: false },
    ...rest.map((operation) => ({ ...operation, allowMentions: false })),
  ]
}

function answerWith({ answer }: Format, reply: FastifyReply, body: object): object | string {
  if (answer !== undefined) reply.type('text/plain')
  return answer ?? body
}

/** Answers a failure as the sender of the format expects it. */
export function refuseCall(
  { refuse, repeatsOnlyAfter503 }: Format,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = prepareFailure(error, request, reply)
  noteProblem(request, known)
  if (known.code === 'rate_limited' && repeatsOnlyAfter503)
    return writeProblem(new AppError('unavailable', known.message), request, reply)
  if (!refuse || known.status >= 500) return writeProblem(known, request, reply)
  const answer = refuse(known)
  const type = typeof answer === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return reply.code(known.status).type(type).send(answer)
}

/** Returns the part of an answer that says what became of a message. */
export function answerOf(
  { messageID, threadID, created, threadCreated, isStale }: SendMessageResult,
  ignored: readonly string[] = [],
) {
  const notices = { ...(isStale && { stale: true }), ...(ignored.length > 0 && { ignored }) }
  return { messageID, threadID, created, threadCreated, ...notices }
}
