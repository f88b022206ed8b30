import { OAuthError } from './errors.ts'
import { type Parameters, required } from './form.ts'

/** A public client sends no secret. */
export type ClientCredentials = { clientID: string; clientSecret: string | undefined }

/** Reads the client ID and secret from HTTP Basic or from the form (RFC 6749 2.3.1), but not from both. */
export function readClientCredentials(
  authorization: string | undefined,
  form: Parameters,
): ClientCredentials {
  if (authorization === undefined) {
    return { clientID: required(form, 'client_id'), clientSecret: form.client_secret }
  }
  if (form.client_secret !== undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send the client secret in the Authorization header or in the form, not in both.',
    )
  }
  const credentials = readBasic(authorization)
  if (form.client_id !== undefined && form.client_id !== credentials.clientID) {
    throw new OAuthError('invalid_request', 'The client_id differs from the one in the Authorization header.')
  }
  return credentials
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1]
  const pair = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
  const colon = pair?.indexOf(':') ?? -1
  if (pair === undefined || colon < 0) {
    throw new OAuthError(
      'invalid_client',
      'The Authorization header must be HTTP Basic with the client ID and secret.',
    )
  }
  return { clientID: decode(pair.slice(0, colon)), clientSecret: decode(pair.slice(colon + 1)) }
}

// RFC 6749 2.3.1 requires clients to form-encode both parts, but many clients do not.
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}
