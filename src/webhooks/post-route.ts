import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  recordUse,
  requireActiveWebhook,
  withCurrentSettings,
} from '../apps/webhooks/authenticate-webhook.ts'
import type { Context, WebhookActor } from '../context.ts'
import { bodyTooLarge, invalidField } from '../errors.ts'
import { hearsPresses } from '../feeds/endpoints/hears-presses.ts'
import {
  type BodyCheck,
  readOnlyJSON,
  readPlainText,
  unsupportedMediaType,
} from '../http/bodies/json-body.ts'
import { isDecodable } from '../http/bodies/percent-encoding.ts'
import { sendProblem } from '../http/problems.ts'
import { type ParsedSendInput, sendParsed } from '../messages/send/send-message.ts'
import { requireAllowedTarget } from './allowed-target.ts'
import {
  answerOf,
  type CallOptions,
  type CallRequest,
  callFormat,
  refuseCall,
} from './formats/call-format.ts'
import { multipartType, readMultipart } from './formats/discord/multipart.ts'
import type { Format } from './formats/format.ts'
import { formatAdvice, formatOf, formType, readForms, withRightURL } from './formats/routes.ts'
import { secondsOf } from './formats/run-format.ts'
import { readPayload } from './payload.ts'
import { noteProblem } from './record-calls.ts'
import { requireSignature, signatureCheck } from './signature.ts'

type Options = CallOptions & { maxPlainBytes: number }

const advice =
  'Set the Content-Type header to application/json, or to text/plain if the body is only the text of the message.'

/** Serves `POST <webhook URL>`: bodies of the webhook's format, if its settings name one, and otherwise messages. */
export async function postRoute(app: FastifyInstance, options: Options): Promise<void> {
  const { db, config, path, maxPlainBytes, authenticate, contextOf, visibleError } = options
  // The cached settings are not enough to refuse a body, because it can be read only once.
  const checkSettings = (request: FastifyRequest, bytes: number) => {
    const { mediaType, webhookActor } = request
    const isSpecial = bytes > maxPlainBytes || mediaType === multipartType
    return webhookActor && isSpecial ? requireReadable(request, webhookActor, bytes) : undefined
  }
  const requireReadable = async (request: FastifyRequest, cached: WebhookActor, bytes: number) => {
    request.webhookActor = await requireActiveWebhook(db, cached)
    const format = formatFor(request)
    requireMediaType(request.mediaType, format)
    if (!format && bytes > maxPlainBytes) throw bodyTooLarge(maxPlainBytes)
  }
  const checkSignature = signatureCheck(db, config, ({ webhook }) => webhook.format)
  const check: BodyCheck = (request, body) => {
    const checked = checkSettings(request, body.length)
    return checked ? checked.then(() => checkSignature(request, body)) : checkSignature(request, body)
  }
  readOnlyJSON(app, advice, check)
  readPlainText(app, maxPlainBytes, check)
  readForms(app, check)
  readMultipart(app, check)
  app.setErrorHandler(async (error, request, reply) => {
    const visible = await visibleError(error, request)
    const format = formatFor(request)
    if (format) return refuseCall(format, visible, request, reply)
    const problem = withRightURL(visible, request.body)
    noteProblem(request, problem)
    return sendProblem(problem, request, reply)
  })
  const onRequest: CallOptions['authenticate'] = async (request, reply) => {
    await authenticate(request, reply)
    await checkSettings(request as FastifyRequest, Number(request.headers['content-length']))
  }
  const bodyLimit = Math.max(options.bodyLimit, maxPlainBytes)
  app.post<CallRequest>(path, { onRequest, bodyLimit }, async (request, reply) => {
    requireDecodableQuery(request.url)
    return withCurrentSettings(contextOf(request), (ctx) => {
      request.webhookActor = ctx.actor
      requireSignature(request, ctx, ctx.actor.webhook.format)
      const format = formatOf(ctx.actor)
      requireMediaType(request.mediaType, format)
      return format ? callFormat(format, ctx, request, reply, options) : post(ctx, request)
    })
  })
}

// A form with files is only for Discord. A text is no body of a format, and a form is no message.
function requireMediaType(mediaType: string | undefined, format: Format | undefined): void {
  const others = format ? ['text/plain', multipartType] : [formType, multipartType]
  const isForDiscord = mediaType === multipartType && format?.name === 'discord'
  if (others.includes(mediaType ?? '') && !isForDiscord)
    throw unsupportedMediaType(format ? formatAdvice : advice)
}

function formatFor({ webhookActor }: FastifyRequest): Format | undefined {
  return webhookActor ? formatOf(webhookActor) : undefined
}

async function post(ctx: Context<WebhookActor>, { body, query, callNotes }: FastifyRequest<CallRequest>) {
  const { target, input, ignored } = readPayload(ctx, body, query)
  if (callNotes) callNotes.ignored = ignored
  const { allowedTargets, restDays } = ctx.actor.webhook
  if (allowedTargets.length > 0) await requireAllowedTarget(ctx, target)
  ignored.push(...(await leaveOutUnheardButtons(ctx, target, input.message)))
  const rest = restDays === null ? undefined : { restSeconds: secondsOf(restDays) }
  const sent = await sendParsed(ctx, { ...input, ...rest })
  callNotes?.results.push(sent)
  await recordUse(ctx)
  ignored.push(...sent.ignored)
  return answerOf(sent, ignored)
}

/** Leaves out the buttons whose presses nobody would receive. Returns their names with the reason. */
async function leaveOutUnheardButtons(
  ctx: Context<WebhookActor>,
  target: string,
  message: Pick<ParsedSendInput['message'], 'buttons'>,
): Promise<string[]> {
  const buttons = message.buttons ?? []
  const unheard = buttons.flatMap(({ url }, index) => (url === undefined ? index : []))
  if (unheard.length === 0 || (await hearsPresses(ctx, target))) return []
  message.buttons = buttons.filter(({ url }) => url !== undefined)
  return unheard.map((index) => `buttons.${index}: the webhook has no active endpoint that receives a press`)
}

// Rejects malformed percent-encoding, which the query parser would keep as text.
function requireDecodableQuery(url: string): void {
  const start = url.indexOf('?')
  if (start >= 0 && !isDecodable(url.slice(start)))
    throw invalidField('query', 'has percent-encoding that is malformed or not UTF-8')
}
