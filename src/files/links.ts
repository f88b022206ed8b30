import { perConfig } from '../config.ts'
import { type Context, requireUser } from '../context.ts'
import { AppError } from '../errors.ts'
import type { File } from '../generated/prisma/client.ts'
import { deriveKey, isSignature, sign } from '../platform/signatures.ts'

/** What a link to a file says: for whom it was made, and until when it is good, in seconds since 1970. */
export type FileLink = { fileID: string; name: string; workspaceID: string; userID: string; expires: number }

// All processes have the operator's token, so each knows the links of the others.
const keyOf = perConfig(({ operatorToken }) => deriveKey(operatorToken, 'skein file links'))
const ticketKeyOf = perConfig(({ operatorToken }) => deriveKey(operatorToken, 'skein upload tickets'))

/**
 * A link to the bytes of a file, for the caller and whoever it is given to. It needs no header, and ends after a while,
 * or when the caller may no longer see the file. Throws `forbidden`.
 */
export function fileURL(ctx: Context, { id: fileID, name }: File): string {
  requireUser(ctx)
  const { workspaceID, userID } = ctx.actor
  const { baseURL, downloadTTLSeconds } = ctx.config
  const expires = now() + downloadTTLSeconds
  const signature = sign(keyOf(ctx.config), signed({ fileID, name, workspaceID, userID, expires }))
  const query = new URLSearchParams({
    workspace: workspaceID,
    user: userID,
    expires: String(expires),
    signature,
  })
  return `${baseURL}/files/${fileID}/${encodeURIComponent(name)}?${query}`
}

/** A link as it came: its path and its query. */
export type GivenLink = { fileID: string; name: string; query: unknown }

/** Throws `forbidden` for a link that was not made here, or has expired. */
export function readFileLink(
  { config }: Pick<Context, 'config'>,
  { fileID, name, query }: GivenLink,
): FileLink {
  const { workspace, user, expires, signature } = textsOf(query)
  const link = { fileID, name, workspaceID: workspace ?? '', userID: user ?? '', expires: Number(expires) }
  if (!isSignature(signature ?? '', keyOf(config), signed(link)) || link.expires <= now()) throw refusedLink()
  return link
}

/** One answer to all who come with a link that is not good. */
export function refusedLink(): AppError {
  return new AppError('forbidden', 'This link is not good, or no longer. Ask for a new one.')
}

/** Returns the address that takes the bytes of an upload ticket. */
export function uploadURL(
  { config }: Pick<Context, 'config'>,
  { workspaceID, uploaderID, id }: UploadLink,
): string {
  const signature = sign(ticketKeyOf(config), [workspaceID, uploaderID, id])
  const query = new URLSearchParams({ workspace: workspaceID, user: uploaderID, signature })
  return `${config.baseURL}/uploads/${id}?${query}`
}

/** The key of an upload ticket, and the user it was made for. */
export type UploadLink = { workspaceID: string; uploaderID: string; id: string }

/** Returns the ticket that an upload comes with. Throws `forbidden` for an address that was not made here. */
export function readUploadLink(
  { config }: Pick<Context, 'config'>,
  { ticketID: id, query }: { ticketID: string; query: unknown },
): UploadLink {
  const { workspace: workspaceID = '', user: uploaderID = '', signature = '' } = textsOf(query)
  if (!isSignature(signature, ticketKeyOf(config), [workspaceID, uploaderID, id])) throw refusedLink()
  return { workspaceID, uploaderID, id }
}

function signed({ fileID, name, workspaceID, userID, expires }: FileLink): string[] {
  return [workspaceID, userID, fileID, name, String(expires)]
}

function textsOf(query: unknown): Record<string, string | undefined> {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
