import { cachedPerConfig } from '../config.ts'
import { type Context, requireUser } from '../context.ts'
import { AppError } from '../errors.ts'
import { deriveKey, sign, verifySignature } from '../platform/secrets/signatures.ts'
import type { FileRow } from './rows.ts'

/** `userID` is the user for whom the link was created. `expires` is a time of the database in seconds since 1970. */
export type FileLink = { fileID: string; name: string; workspaceID: string; userID: string; expires: number }

// The keys are derived from the operator token, which all processes share. Therefore each process accepts all links.
const keyOf = cachedPerConfig(({ operatorToken }) => deriveKey(operatorToken, 'skein file links'))
const ticketKeyOf = cachedPerConfig(({ operatorToken }) => deriveKey(operatorToken, 'skein upload tickets'))

/** Returns a link that works without a token, until it expires or the caller can no longer see the file. */
export function fileURL(ctx: Context, { id: fileID, name, readAt }: FileRow): string {
  requireUser(ctx)
  const { workspaceID, userID } = ctx.actor
  const { baseURL, downloadTTLSeconds } = ctx.config
  const expires = Math.ceil(readAt.getTime() / 1000) + downloadTTLSeconds
  const signature = sign(keyOf(ctx.config), signed({ fileID, name, workspaceID, userID, expires }))
  const query = new URLSearchParams({
    workspace: workspaceID,
    user: userID,
    expires: String(expires),
    signature,
  })
  return `${baseURL}/files/${fileID}/${encodeURIComponent(name)}?${query}`
}

export type UnverifiedLink = { fileID: string; name: string; query: unknown }

/** Returns a link with a valid signature. It may have expired: `accessLinkedFile` compares it with the database's time. */
export function readFileLink(
  { config }: Pick<Context, 'config'>,
  { fileID, name, query }: UnverifiedLink,
): FileLink {
  const { workspace, user, expires, signature } = textsOf(query)
  const link = { fileID, name, workspaceID: workspace ?? '', userID: user ?? '', expires: Number(expires) }
  if (!verifySignature(signature ?? '', keyOf(config), signed(link))) throw refusedLink()
  return link
}

/** Returns the error for an invalid link. It does not reveal why the link is invalid. */
export function refusedLink(): AppError {
  return new AppError('forbidden', 'This link is invalid or has expired. Request a new one.')
}

export function uploadURL(
  { config }: Pick<Context, 'config'>,
  { workspaceID, uploaderID, id }: UploadLink,
): string {
  const signature = sign(ticketKeyOf(config), [workspaceID, uploaderID, id])
  const query = new URLSearchParams({ workspace: workspaceID, user: uploaderID, signature })
  return `${config.baseURL}/uploads/${id}?${query}`
}

export type UploadLink = { workspaceID: string; uploaderID: string; id: string }

export function readUploadLink(
  { config }: Pick<Context, 'config'>,
  { ticketID: id, query }: { ticketID: string; query: unknown },
): UploadLink {
  const { workspace: workspaceID = '', user: uploaderID = '', signature = '' } = textsOf(query)
  if (!verifySignature(signature, ticketKeyOf(config), [workspaceID, uploaderID, id])) throw refusedLink()
  return { workspaceID, uploaderID, id }
}

function signed({ fileID, name, workspaceID, userID, expires }: FileLink): string[] {
  return [workspaceID, userID, fileID, name, String(expires)]
}

function textsOf(query: unknown): Record<string, string | undefined> {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}
