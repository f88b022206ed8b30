import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withCurrentSettings } from '../../apps/webhooks/authenticate-webhook.ts'
import type { WebhookActor } from '../../context.ts'
import { AppError, invalidField } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { afterCheck, type BodyCheck, readOnlyJSON } from '../../http/bodies/json-body.ts'
import { requireSignature, signatureCheck } from '../signature.ts'
import { alertmanager } from './alerts/alertmanager.ts'
import { grafana } from './alerts/grafana.ts'
import { type CallOptions, type CallRequest, callFormat, refuseCall } from './call-format.ts'
import { readMultipart } from './discord/multipart.ts'
import { discord } from './discord.ts'
import type { Format } from './format.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { json } from './json.ts'
import { sentry } from './sentry.ts'
import { slack } from './slack.ts'
import { template } from './template.ts'

// The first that recognizes a body counts.
const formats: readonly Format[] = [
  grafana,
  alertmanager,
  github,
  gitlab,
  sentry,
  discord,
  slack,
  json,
  template,
]

export const formatNames = formats.map(({ name }) => name)
export const formatAdvice = 'Set the Content-Type header to application/json.'

/** Serves `POST <webhook URL>/<format>`, for the bodies of other systems. */
export async function formatRoutes(app: FastifyInstance, options: CallOptions): Promise<void> {
  for (const format of formats) await app.register(async (scope) => formatRoute(scope, format, options))
}

export const formType = 'application/x-www-form-urlencoded'

export function readForms(app: FastifyInstance, check: BodyCheck): void {
  app.addContentTypeParser(formType, { parseAs: 'buffer' }, (request, body, done) => {
    const read = () => {
      request.bodyText = body.toString()
      done(null, { ...parse(request.bodyText) })
    }
    afterCheck(check(request, body as Buffer), read, done)
  })
}

/** Returns the format of the bodies that are posted to the URL of the webhook itself, if it has one. */
export function formatOf({ webhook }: WebhookActor): Format | undefined {
  return webhook.format === null ? undefined : formats.find(({ name }) => name === webhook.format)
}

function formatRoute(app: FastifyInstance, format: Format, options: CallOptions): void {
  const { db, config, path, bodyLimit, authenticate, contextOf, visibleError } = options
  const check = signatureCheck(db, config, () => format.name)
  readOnlyJSON(app, formatAdvice, check)
  readForms(app, check)
  if (format === discord) readMultipart(app, check)
  app.setErrorHandler(async (error, request, reply) =>
    refuseCall(format, await visibleError(error, request), request, reply),
  )
  const urls = ['', ...(format.morePaths ?? [])].map((end) => `${path}/${format.name}${end}`)
  for (const url of urls) {
    allowOnly(app, url, ['POST', 'OPTIONS'])
    const onRequest = [takeTarget, authenticate]
    app.post<CallRequest>(url, { onRequest, bodyLimit }, async (request, reply) =>
      withCurrentSettings(contextOf(request), (ctx) => {
        requireSignature(request as FastifyRequest, ctx, format.name)
        return callFormat(format, ctx, request, reply, options)
      }),
    )
  }
}

/** Takes the target from the path, if it has one. */
async function takeTarget(request: FastifyRequest<CallRequest>): Promise<void> {
  const { target = '' } = request.params as { target?: string }
  if (/^(?:grp|thr|wks)_/.test(target)) request.query = { target, ...request.query }
}

/** Returns an error of the plain URL with the URL that a body is for, if it is of a known format. */
export function withRightURL(error: unknown, body: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_input') return error
  const format = formats.find(({ recognizes }) => recognizes(body))
  if (!format) return error
  return invalidField('body', `looks like a body of ${format.name}; send it to <webhook URL>/${format.name}`)
}
