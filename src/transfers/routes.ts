import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accessLinkedAvatar } from '../apps/avatars.ts'
import type { Context } from '../context.ts'
import { readAvatarLink, readFileLink, readUploadLink } from '../files/links.ts'
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
type AvatarRoute = { Params: { fileID: string } }
type UploadRoute = { Params: { ticketID: string } }

const downloadPath = '/files/:fileID/*'
const avatarPath = '/avatars/:fileID'
const uploadPath = '/uploads/:ticketID'

/** How long a browser shows a picture without asking again. A new picture has another URL. */
const avatarSeconds = 24 * 60 * 60

/** Serves file bytes. The signed link is the permission: a browser that follows it sends no token. */
export async function transferRoutes(app: FastifyInstance, shared: Shared): Promise<void> {
  app.setErrorHandler(sendProblem)
  await app.register(async (instance) => downloadRoute(instance, shared))
  await app.register(async (instance) => avatarRoute(instance, shared))
  await app.register(async (instance) => uploadRoute(instance, shared))
  allowOnly(app, downloadPath, ['GET', 'HEAD'])
  allowOnly(app, avatarPath, ['GET', 'HEAD'])
  allowOnly(app, uploadPath, ['PUT'])
}

function downloadRoute(app: FastifyInstance, shared: Shared): void {
  const policy = downloadPolicy(shared)
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

function avatarRoute(app: FastifyInstance, shared: Shared): void {
  const policy = downloadPolicy(shared)
  const handler = async (request: FastifyRequest<AvatarRoute>, reply: FastifyReply) => {
    const link = readAvatarLink(shared, { fileID: request.params.fileID, query: request.query })
    addToLog(request, { workspaceID: link.workspaceID, userID: link.userID })
    await spend(shared.rateLimits, reply, [{ policy, key: link.userID }])
    const file = await accessLinkedAvatar(shared, link)
    return sendFile(shared.storage, { file, secondsLeft: avatarSeconds }, request, reply)
  }
  app.route<AvatarRoute>({ method: ['GET', 'HEAD'], url: avatarPath, handler })
}

function downloadPolicy({ config }: Shared) {
  return { name: 'download', quota: config.downloadRatePerMinute }
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
