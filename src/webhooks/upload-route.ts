import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordUse, requireActiveWebhook } from '../apps/webhooks/authenticate-webhook.ts'
import { type FieldError, invalidField, invalidInput } from '../errors.ts'
import { uploadFile } from '../files/upload-file.ts'
import { leaveBodiesUnread, readUpload, uploadConfig } from '../http/bodies/uploads.ts'
import { uploadPolicy } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import type { CallOptions, CallRequest } from './formats/call-format.ts'
import { requireSignature } from './signature.ts'

/** Serves `PUT <webhook URL>/attachment`, which uploads a file. */
export async function uploadRoute(app: FastifyInstance, options: CallOptions): Promise<void> {
  const { path, rateLimits, authenticate, contextOf } = options
  leaveBodiesUnread(app)
  app.put<CallRequest>(path, { onRequest: authenticate, config: uploadConfig }, async (request, reply) => {
    const ctx = contextOf(request)
    await spend(rateLimits, reply, [{ policy: uploadPolicy(ctx.config), key: ctx.actor.userID }])
    const actor = await requireActiveWebhook(ctx.db, ctx.actor)
    requireSignature(request as FastifyRequest, { ...ctx, actor }, null)
    const { contentMD5, ...upload } = readUpload(request as FastifyRequest, reply)
    const headers = requireHeaders(request.headers['x-file-name']?.toString(), contentMD5)
    const file = await uploadFile(ctx, { ...upload, ...headers })
    await recordUse(ctx)
    return { id: file.id }
  })
}

function requireHeaders(
  name: string | undefined,
  contentMD5: string | undefined,
): { name: string; contentMD5: string } {
  if (name !== undefined && contentMD5 !== undefined) return { name: readFileName(name), contentMD5 }
  const errors: FieldError[] = []
  if (contentMD5 === undefined)
    errors.push({ field: 'Content-MD5', message: 'is required and must be the MD5 of the file in base64' })
  if (name === undefined)
    errors.push({ field: 'X-File-Name', message: 'is required and must be the name of the file' })
  throw invalidInput(errors)
}

// Reads a name in UTF-8, percent-encoded (RFC 3986 2.1) or raw. It is raw if a `%` is not followed by two hexadecimal
// digits. Node decodes headers as Latin-1.
function readFileName(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const isEncoded = !/%(?![0-9a-f]{2})/i.test(header)
  try {
    if (isUtf8(bytes)) return isEncoded ? decodeURIComponent(bytes.toString()) : bytes.toString()
  } catch {}
  throw invalidField('X-File-Name', 'must be UTF-8, percent-encoded or raw')
}
