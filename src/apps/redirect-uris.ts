import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { selectLoader } from '../database/loader.ts'
import { type App, Prisma } from '../generated/prisma/client.ts'
import { text } from '../input.ts'
import { canParseURL } from '../platform/can-parse-url.ts'
import { portRule } from '../platform/web-url.ts'

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

// A native app uses its domain name in reverse order as the scheme (RFC 8252 7.1). The dot excludes the schemes that a
// browser handles, such as javascript.
const privateUse = /^[a-z][a-z\d-]*(\.[a-z\d-]+)+:$/

const loopbackPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+(?=[/?]|$)/
const userInfo = /^[^/?]*\/\/[^/?]*@/

/** An absolute URL without a fragment (RFC 6749 3.1.2). Only loopback addresses can use http (RFC 8252 7.3). */
const redirectURI = text(2000).superRefine((value, ctx) => {
  if (!isAllowed(value))
    return ctx.addIssue(
      'must be an absolute https URL, an http URL with a loopback address, or a URL with a private-use scheme such as com.example.app:, without a fragment, spaces or user information',
    )
  const { protocol, hostname, port, origin } = new URL(value)
  if (port === '0') return ctx.addIssue(portRule)
  // Only this form is recognized when the port of a request differs.
  const [, start] = /^([^/]*\/\/[^/?]*?)(:[1-9]\d*)?([/?]|$)/.exec(value) ?? []
  if (protocol === 'http:' && start !== `http://${hostname}`)
    ctx.addIssue(`must begin with ${origin}, which is the usual form of this loopback address`)
})

function isAllowed(value: string): boolean {
  if (!canParseURL(value) || /[#\s\\]/.test(value) || userInfo.test(value)) return false
  const { protocol, hostname } = new URL(value)
  // The URL parser of browsers also accepts https:host and https:///host.
  if (/^https?:$/.test(protocol) && !/^https?:\/\/[^/]/i.test(value)) return false
  return (
    protocol === 'https:' || privateUse.test(protocol) || (protocol === 'http:' && loopback.test(hostname))
  )
}

export const redirectURIs = z
  .array(redirectURI)
  .min(1, 'must have at least one URL')
  .max(20, 'must have at most 20 URLs')
  .transform((uris) => [...new Set(uris)])

/**
 * Returns whether a requested redirect URI is registered. URIs are compared as strings, except the port of a loopback
 * address (RFC 9700 2.1), because a native app listens on a port that is free (RFC 8252 7.3).
 */
export function isRegistered(requested: string, registered: string[]): boolean {
  if (!canParseURL(requested)) return false
  const known = registered.map((uri) => uri.replace(loopbackPort, '$1'))
  return known.includes(requested.replace(loopbackPort, '$1'))
}

/** Replaces the redirect URIs of an app. Call it in a transaction. */
export async function setRedirectURIs(db: Database, { workspaceID, id }: App, uris: string[]): Promise<void> {
  await db.redirectURI.deleteMany({ where: { workspaceID, appID: id } })
  await db.redirectURI.createMany({ data: uris.map((uri) => ({ workspaceID, appID: id, uri })) })
}

const loadRedirectURIs = selectLoader<Context, { id: string; uris: string[] }>(
  (_ctx, workspaceID, ids) => Prisma.sql`
    SELECT app_id AS id, array_agg(uri ORDER BY uri) AS uris FROM redirect_uris
    WHERE workspace_id = ${workspaceID} AND app_id = ANY(${ids}::text[]) GROUP BY app_id`,
)

export async function listRedirectURIs(ctx: Context, { workspaceID, id }: App): Promise<string[]> {
  return (await loadRedirectURIs(ctx, workspaceID, id))?.uris ?? []
}
