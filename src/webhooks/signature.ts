import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { requireActiveWebhook } from '../apps/webhooks/authenticate-webhook.ts'
import type { WebhookFormat } from '../apps/webhooks/settings.ts'
import { decryptSignatureSecret } from '../apps/webhooks/signature-secret.ts'
import type { Config } from '../config.ts'
import type { WebhookActor } from '../context.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import type { BodyCheck } from '../http/bodies/json-body.ts'
import { hashSecret, secretMatches } from '../platform/secrets/secrets.ts'
import { ownCallOf } from './repeat-call.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived, which is what a signature is for. Null if it was not read. */
    bodyBytes: Buffer | null
  }
}

/** How a sender proves that it knows the secret. `advice` completes the sentence "Send … in the header …". */
type Rule = {
  header: string
  advice: string
  isRight: (given: string, secret: string, body: Buffer) => boolean
}

const theSecret = { advice: 'the secret', isRight: isSecret }
const theHMAC = 'the HMAC-SHA256 of the body with the secret, in hexadecimal'
const plain: Rule = { ...theSecret, header: 'X-Webhook-Secret' }
const rules: Partial<Record<WebhookFormat, Rule>> = {
  github: {
    header: 'X-Hub-Signature-256',
    advice: `sha256= and ${theHMAC},`,
    isRight: (given, ...signed) => given.startsWith('sha256=') && isHMAC(given.slice(7), ...signed),
  },
  gitlab: { ...theSecret, header: 'X-Gitlab-Token' },
  sentry: { header: 'Sentry-Hook-Signature', advice: `${theHMAC},`, isRight: isHMAC },
}

/**
 * Throws unless the webhook has no secret, or the sender knows it. `format` is that of the body. If it is null, the
 * request has the secret in a header. The service signs none of its own calls.
 */
export function requireSignature(
  request: FastifyRequest,
  { config, actor }: { config: Config; actor: WebhookActor },
  format: string | null,
): void {
  if (actor.webhook.signatureSecret === null) return
  const { key } = request.params as { key: string }
  if (ownCallOf(key)) return
  const secret = decryptSignatureSecret(config, actor.webhook)
  const { header, advice, isRight } = rules[format as WebhookFormat] ?? plain
  const given = request.headers[header.toLowerCase()] ?? (header === plain.header && bearerOf(request))
  if (secret !== null && typeof given === 'string' && isRight(given, secret, request.bodyBytes ?? noBytes))
    return
  const problem = given ? 'is not right' : 'is missing'
  throw new AppError(
    'bad_signature',
    `The signature ${problem}. The webhook has a secret. Send ${advice} in the header ${header}.`,
  )
}

const noBytes = Buffer.alloc(0)

/** Returns a check that keeps the bytes of a body, and refuses it before it is parsed if its signature is not right. */
export function signatureCheck(
  db: Database,
  config: Config,
  formatOf: (actor: WebhookActor) => string | null,
): BodyCheck {
  const check = (request: FastifyRequest, actor: WebhookActor) =>
    requireSignature(request, { config, actor }, formatOf(actor))
  // The cached settings are not enough to refuse a body, because it can be read only once.
  const checkAgain = async (request: FastifyRequest, cached: WebhookActor) => {
    const actor = await requireActiveWebhook(db, cached)
    // A refusal has the form that the present format wants.
    request.webhookActor = actor
    check(request, actor)
  }
  return (request, body) => {
    request.bodyBytes = body
    const { webhookActor } = request
    try {
      if (webhookActor) check(request, webhookActor)
    } catch {
      return webhookActor ? checkAgain(request, webhookActor) : undefined
    }
    return undefined
  }
}

// Alertmanager can send no header of another name.
function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

function isSecret(given: string, secret: string): boolean {
  return secretMatches(given, hashSecret(secret))
}

function isHMAC(given: string, secret: string, body: Buffer): boolean {
  const tried = Buffer.from(/^[0-9a-f]{64}$/i.test(given) ? given : '', 'hex')
  const known = createHmac('sha256', secret).update(body).digest()
  return tried.length === known.length && timingSafeEqual(tried, known)
}
