import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UserActor } from '../context.ts'
import { toAppError } from '../errors.ts'
import { toGroupID } from '../groups/general-group-id.ts'
import type { CallLog } from '../messages/webhook-calls/call-log.ts'
import type { CallContent, CallResult } from '../messages/webhook-calls/webhook-call.ts'
import { prefixOf } from '../platform/ids.ts'
import { multipartType } from './formats/discord/multipart.ts'

/** What a route notes for the list of the last calls. */
export type CallNotes = {
  actor: UserActor
  id: string | undefined
  results: CallResult[]
  skipped: string | null
  problems: string[]
  ignored: readonly string[]
  /** Nobody must be able to send such a call again. */
  isForged: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the key is known to be correct, because anyone can send a wrong key. */
    callNotes: CallNotes | null
  }
}

const unrecorded = ['GET', 'HEAD', 'OPTIONS']
const mostBytes = 2 ** 31 - 1

/** Records each call of a webhook when it has been answered. `path` is the route of the plain URL. */
export function recordCalls(app: FastifyInstance, log: CallLog, path: string): void {
  app.decorateRequest('callNotes', null)
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { callNotes, method, routeOptions, webhookActor } = request
    const webhook = callNotes?.actor.webhook
    if (webhook && !unrecorded.includes(method)) {
      // Node 20 takes 40 µs if the object begins with a spread of the notes.
      const { actor, id, results, skipped, problems, ignored } = callNotes
      const format =
        routeOptions.url?.slice(path.length + 1).split('/')[0] || webhookActor?.webhook.format || null
      log.record({
        id,
        results,
        skipped,
        problems,
        ignored,
        workspaceID: actor.workspaceID,
        webhook,
        answeredAt: performance.now(),
        method,
        format,
        targetID: targetOf(request, format),
        status: statusCode,
        sizeBytes: sizeOf(request),
        content: contentOf(request),
      })
    }
    done()
  })
}

/** Begins the notes of a request whose key is correct. `id` is given if the service itself sends the call. */
export function beginNotes(request: FastifyRequest, actor: UserActor, id: string | undefined): void {
  request.callNotes = { actor, id, results: [], skipped: null, problems: [], ignored: [], isForged: false }
}

/** Notes what was wrong with a call, as its caller reads it. */
export function noteProblem(request: FastifyRequest, error: unknown): void {
  if (!request.callNotes) return
  const { code, errors, message } = toAppError(error, request)
  request.callNotes.isForged = code === 'bad_signature'
  request.callNotes.problems =
    errors.length > 0 ? errors.map(({ field, message }) => `${field} ${message}`) : [message]
}

function targetOf({ body, bodyText, query, webhookActor }: FastifyRequest, format: string | null) {
  // A body that could not be read may name another target than the query.
  if (format === null && bodyText && body == null) return null
  // The body of another system names no target, whatever fields it has.
  const named = format === null ? (body as { target?: unknown } | null | undefined) : null
  const target =
    named?.target ?? (query as { target?: unknown }).target ?? webhookActor?.webhook.defaultTarget
  if (typeof target !== 'string') return null
  const id = toGroupID(target)
  return ['grp', 'thr'].includes(prefixOf(id) ?? '') ? id : null
}

function sizeOf({ headers, bodyText }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Buffer.byteLength(bodyText ?? ''))
  return Number.isFinite(length) ? Math.min(length, mostBytes) : 0
}

// Only posts can be sent again. Their content is unknown if the service refused them before it read the body.
function contentOf({ method, headers, url, bodyText, callNotes }: FastifyRequest): CallContent | null {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (method !== 'POST' || (hasBody && bodyText === null) || callNotes?.isForged) return null
  const start = url.indexOf('?')
  const query = start < 0 ? '' : url.slice(start + 1)
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  // What is kept of a form with files is JSON.
  const contentType = mediaType === multipartType ? 'application/json' : mediaType
  return { query, contentType: hasBody ? contentType : '', body: bodyText ?? '' }
}
