import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { readFileLink, readUploadLink } from '../files/links.ts'
import { fillUploadTicket } from '../files/tickets/upload-ticket.ts'
import { allowOnly } from '../http/allow-only.ts'
import { leaveBodiesUnread, readUpload, uploadConfig } from '../http/bodies/uploads.ts'
import { sendProblem } from '../http/problems.ts'
import { type RateLimits, uploadPolicy } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { addToLog } from '../http/request-log.ts'
import { accessLinkedFile } from '../messages/access.ts'
import { sendFile } from './send-file.ts'

type Shared = Omit<Context, 'actor' | 'log'> & { rateLimits: RateLimits }
type DownloadRoute = { Params: { fileID: string; '*': string } }
type UploadRoute = { Params: { ticketID: string } }

const downloadPath = '/files/:fileID/*'
const uploadPath = '/uploads/:ticketID'

/** Serves file bytes. The signed link is the permission: a browser that follows it sends no token. */
export async function transferRoutes(app: FastifyInstance, shared: Shared): Promise<void> {
  app.setErrorHandler(sendProblem)
  await app.register(async (instance) => downloadRoute(instance, shared))
  await app.register(async (instance) => uploadRoute(instance, shared))
  allowOnly(app, downloadPath, ['GET', 'HEAD'])
  allowOnly(app, uploadPath, ['PUT'])
}

function downloadRoute(app: FastifyInstance, shared: Shared): void {
  const policy = { name: 'download', quota: shared.config.downloadRatePerMinute }
  const handler = async (request: FastifyRequest<DownloadRoute>, reply: FastifyReply) => {
    const { fileID, '*': name } = request.params
    const link = readFileLink(shared, { fileID, name, query: request.query })
    addToLog(request, { workspaceID: link.workspaceID, userID: link.userID })
    await spend(shared.rateLimits, reply, [{ policy, key: link.userID }])
    const linked = await accessLinkedFile({ ...shared, log: request.log }, link)
    return sendFile(shared.storage, linked, request, reply)
  }
  app.route<DownloadRoute>({ method: ['GET', 'HEAD'], url: downloadPath, handler })
}

function uploadRoute(app: FastifyInstance, shared: Shared): void {
  leaveBodiesUnread(app)
  const policy = uploadPolicy(shared.config)
  app.put<UploadRoute>(uploadPath, { config: uploadConfig }, async (request, reply) => {
    const { ticketID } = request.params
    const link = readUploadLink(shared, { ticketID, query: request.query })
    addToLog(request, { workspaceID: link.workspaceID, userID: link.uploaderID })
    await spend(shared.rateLimits, reply, [{ policy, key: link.uploaderID }])
    await fillUploadTicket(shared, link, readUpload(request as FastifyRequest, reply))
    return { uploadTicketID: ticketID }
  })
}
