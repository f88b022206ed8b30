import { cachedPerConfig } from '../config.ts'
import { type Context, requireUser } from '../context.ts'
import { AppError } from '../errors.ts'
import type { User } from '../generated/prisma/client.ts'
import { deriveKey, sign, verifySignature } from '../platform/secrets/signatures.ts'
import type { FileRow } from './rows.ts'

/** `userID` is the user for whom the link was created. `expires` is a time of the database in seconds since 1970. */
export type FileLink = { fileID: string; name: string; workspaceID: string; userID: string; expires: number }

// All processes share the key. Therefore each process accepts all links.
const keyOf = cachedPerConfig(({ signingKey }) => deriveKey(signingKey, 'skein file links'))
const avatarKeyOf = cachedPerConfig(({ signingKey }) => deriveKey(signingKey, 'skein avatar links'))
const ticketKeyOf = cachedPerConfig(({ signingKey }) => deriveKey(signingKey, 'skein upload tickets'))

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

/** `userID` is the user for whom the link was created. */
export type AvatarLink = { workspaceID: string; userID: string; fileID: string }

/**
 * Returns a link to a picture, or null if there is no picture or the caller is not in its workspace. The link does not
 * expire, so that browsers cache the picture and programs can store the link. It works as long as the picture is in use.
 */
export function avatarURL(
  { config, actor }: Context,
  { workspaceID, avatarFileID: fileID }: Pick<User, 'workspaceID' | 'avatarFileID'>,
): string | null {
  if (fileID === null || actor.kind !== 'user' || actor.workspaceID !== workspaceID) return null
  return avatarLinkURL({ config }, { workspaceID, userID: actor.userID, fileID })
}

export function avatarLinkURL(
  { config }: Pick<Context, 'config'>,
  { workspaceID, userID, fileID }: AvatarLink,
): string {
  const signature = sign(avatarKeyOf(config), [workspaceID, userID, fileID])
  const query = new URLSearchParams({ workspace: workspaceID, user: userID, signature })
  return `${config.baseURL}/avatars/${fileID}?${query}`
}

export function readAvatarLink(
  { config }: Pick<Context, 'config'>,
  { fileID, query }: { fileID: string; query: unknown },
): AvatarLink {
  const { workspace: workspaceID = '', user: userID = '', signature = '' } = textsOf(query)
  if (!verifySignature(signature, avatarKeyOf(config), [workspaceID, userID, fileID])) throw refusedLink()
  return { workspaceID, userID, fileID }
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
