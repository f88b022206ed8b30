import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { sendContinue } from './request-bodies.ts'

/** `open` asks the client for the body and returns it. */
export type UploadRequest = { sizeBytes: number; contentMD5: string | undefined; open: () => Readable }

export const uploadConfig = { readsBodyItself: true }

export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async () => undefined)
}

export function readUpload({ raw }: FastifyRequest, reply: FastifyReply): UploadRequest {
  const { headers } = raw
  if (/^multipart\//i.test(headers['content-type'] ?? '')) {
    const message = 'Send the bytes of the file as the body, not as a multipart form.'
    throw new AppError('unsupported_media_type', message)
  }
  const length = headers['content-length']
  if (length === undefined) throw new AppError('length_required', 'The Content-Length header is required.')
  const open = () => {
    sendContinue(raw, reply.raw)
    return raw
  }
  return { sizeBytes: Number(length), contentMD5: headers['content-md5']?.toString(), open }
}
