import type { InspectedToken } from '../apps/grants/inspect-token.ts'

/** Returns the response about a valid token (RFC 7662 2.2). */
export function introspection(token: InspectedToken, { appID, issuer }: { appID: string; issuer: string }) {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: appID,
    ...(token.kind === 'access' && { token_type: 'Bearer' }),
    exp: seconds(token.expiresAt),
    ...(token.issuedAt && { iat: seconds(token.issuedAt) }),
    sub: token.userID,
    iss: issuer,
    workspace_id: token.workspaceID,
  }
}
