import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient, isKnownClientSecret } from '../apps/tokens/authenticate-client.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { allowOnly } from '../http/allow-only.ts'
import { isDecodable } from '../http/percent-encoding.ts'
import { addressKey } from '../http/rate-limits/address-key.ts'
import type { GuessLimiter } from '../http/rate-limits/guess-limiter.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { addToLog, type LogFields } from '../http/request-log.ts'
import { prefixOf } from '../platform/ids.ts'
import { scopes } from '../scopes.ts'
import { type Parameters, readClientCredentials, required } from './client-authentication.ts'
import { OAuthError, sendOAuthError } from './errors.ts'
import type { Grant } from './grant.ts'
import { clientCredentials } from './grants/client-credentials.ts'

const grants: readonly Grant[] = [clientCredentials]
const maxFormBytes = 16 * 1024

type Options = { db: Database; config: Config; rateLimits: RateLimits; guessLimiter: GuessLimiter }

/** Serves the token endpoint (RFC 6749 3.2). */
export async function oauthRoutes(
  app: FastifyInstance,
  { db, config, rateLimits, guessLimiter }: Options,
): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { parser: parseForm })
  app.setErrorHandler(sendOAuthError)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    done()
  })
  const policy = { name: 'token', quota: config.tokenRatePerMinute }
  const limitRate = (request: FastifyRequest, reply: FastifyReply) =>
    spend(rateLimits, reply, [{ policy, key: addressKey(request.ip) }])

  app.post('/oauth/token', { onRequest: limitRate, bodyLimit: maxFormBytes }, async (request, reply) => {
    const form = readForm(request.body)
    const grant = grantOf(form)
    const { clientID, clientSecret } = readClientCredentials(request.headers.authorization, form)
    addToLog(request, fieldsOf(clientID, form))
    for (const name of grant.required) required(form, name)
    const lookUp = () => authenticateClient(db, clientID, clientSecret)
    const credentials = { kind: 'client', id: clientID, secret: clientSecret } as const
    const client = await (isKnownClientSecret(clientID, clientSecret)
      ? lookUp()
      : guessLimiter.check(request, reply, credentials, lookUp))
    if (!client) throw new OAuthError('invalid_client', 'The client ID or secret is not valid.')
    return grant.issue({ db, config }, client, form)
  })

  allowOnly(app, '/oauth/token', ['POST'])
}

/** Serves the metadata (RFC 8414 2). The list of response types is empty, because no grant uses a browser. */
export function metadataRoute(app: FastifyInstance, { baseURL }: Config): void {
  const path = '/.well-known/oauth-authorization-server'
  allowOnly(app, path, ['GET', 'HEAD'])
  app.get(path, { exposeHeadRoute: true }, async () => ({
    issuer: baseURL,
    token_endpoint: `${baseURL}/oauth/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: grants.map((grant) => grant.type),
    response_types_supported: [],
    scopes_supported: scopes,
  }))
}

// Rejects percent-encoding that is malformed or not UTF-8, because it would decode to another value.
function parseForm(text: string): Record<string, unknown> {
  if (!isDecodable(text))
    throw new OAuthError('invalid_request', 'The percent-encoding of the form is malformed or not UTF-8.')
  return parse(text)
}

// The form is not verified yet. Therefore the log gets only values that look like IDs.
function fieldsOf(clientID: string, { subject = '' }: Parameters): LogFields {
  return {
    ...(prefixOf(clientID) === 'app' && { appID: clientID }),
    ...(prefixOf(subject) === 'wks' && { workspaceID: subject }),
  }
}

// Parameters without a value count as absent. Parameters cannot be repeated (RFC 6749 3.2).
function readForm(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null) {
    throw new OAuthError('invalid_request', 'The body must be a form (application/x-www-form-urlencoded).')
  }
  const form: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string')
      throw new OAuthError('invalid_request', 'A parameter is given more than once.')
    if (value !== '') form[name] = value
  }
  return form
}

function grantOf(form: Parameters): Grant {
  const type = required(form, 'grant_type')
  const grant = grants.find((known) => known.type === type)
  if (grant) return grant
  const known = grants.map(({ type }) => type).join(', ')
  throw new OAuthError('unsupported_grant_type', `The grant_type must be ${known}.`)
}
