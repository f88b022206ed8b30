import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type InspectedToken, inspectToken, revokeToken } from '../apps/grants/inspect-token.ts'
import {
  authenticateClient,
  type Client,
  findPublicClient,
  isKnownClientSecret,
} from '../apps/tokens/authenticate-client.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { allowOnly } from '../http/allow-only.ts'
import { addressKey } from '../http/rate-limits/address-key.ts'
import type { GuessLimiter } from '../http/rate-limits/guess-limiter.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import { spend } from '../http/rate-limits/spend.ts'
import { addToLog, type LogFields } from '../http/request-log.ts'
import { sourceOf } from '../http/request-source.ts'
import { prefixOf } from '../platform/ids.ts'
import { type ClientCredentials, readClientCredentials } from './client-authentication.ts'
import { OAuthError, sendOAuthError } from './errors.ts'
import { type Parameters, parseForm, readForm, required } from './form.ts'
import type { Grant } from './grant.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import { clientCredentials } from './grants/client-credentials.ts'
import { refreshToken } from './grants/refresh-token.ts'

export const grants: readonly Grant[] = [clientCredentials, authorizationCode, refreshToken]
const maxFormBytes = 16 * 1024
export const paths = { token: '/oauth/token', revoke: '/oauth/revoke', introspect: '/oauth/introspect' }

type Options = { db: Database; config: Config; rateLimits: RateLimits; guessLimiter: GuessLimiter }

/** Serves the endpoints that apps call: tokens (RFC 6749 3.2), revocation (RFC 7009) and introspection (RFC 7662). */
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

  type Requirements = { parameters: readonly string[]; isForPublicClients: boolean }

  const authenticate = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form: Parameters,
    { parameters, isForPublicClients }: Requirements,
  ): Promise<Client> => {
    const { clientID, clientSecret } = readClientCredentials(request.headers.authorization, form)
    addToLog(request, fieldsOf(clientID, form))
    if (clientSecret === undefined && !isForPublicClients) required(form, 'client_secret')
    for (const name of parameters) required(form, name)
    const client = await findClient(request, reply, { clientID, clientSecret })
    if (!client) throw new OAuthError('invalid_client', 'The client ID or secret is not valid.')
    return client
  }

  const findClient = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { clientID, clientSecret: secret }: ClientCredentials,
  ): Promise<Client | undefined> => {
    // A request without a secret is not a guess. Guesses by others must not lock out a public app.
    if (secret === undefined) return findPublicClient(db, clientID)
    const lookUp = () => authenticateClient(db, clientID, secret)
    if (isKnownClientSecret(clientID, secret)) return lookUp()
    return guessLimiter.check(request, reply, { kind: 'client', id: clientID, secret }, lookUp)
  }

  const route = { onRequest: limitRate, bodyLimit: maxFormBytes }
  for (const path of Object.values(paths)) allowOnly(app, path, ['POST'])

  app.post(paths.token, route, async (request, reply) => {
    const form = readForm(request.body)
    const { required: parameters, isForPublicClients, issue } = grantOf(form)
    const client = await authenticate(request, reply, form, { parameters, isForPublicClients })
    return issue({ db, config, source: sourceOf(request) }, client, form)
  })

  app.post(paths.revoke, route, async (request, reply) => {
    const form = readForm(request.body)
    const { id } = await authenticate(request, reply, form, {
      parameters: ['token'],
      isForPublicClients: true,
    })
    await revokeToken({ db, config, source: sourceOf(request) }, id, required(form, 'token'))
    // RFC 7009 defines no body, but some libraries parse the body as JSON.
    return {}
  })

  app.post(paths.introspect, route, async (request, reply) => {
    const form = readForm(request.body)
    const { id } = await authenticate(request, reply, form, {
      parameters: ['token'],
      isForPublicClients: false,
    })
    const found = await inspectToken(db, id, required(form, 'token'))
    return found ? introspection(found, { appID: id, issuer: config.baseURL }) : { active: false }
  })
}

// The form is not verified yet. Therefore the log gets only values that look like IDs.
function fieldsOf(clientID: string, { subject = '' }: Parameters): LogFields {
  return {
    ...(prefixOf(clientID) === 'app' && { appID: clientID }),
    ...(prefixOf(subject) === 'wks' && { workspaceID: subject }),
  }
}

function grantOf(form: Parameters): Grant {
  const type = required(form, 'grant_type')
  const grant = grants.find((known) => known.type === type)
  if (grant) return grant
  const known = grants.map(({ type }) => type).join(', ')
  throw new OAuthError('unsupported_grant_type', `The grant_type must be one of ${known}.`)
}

/** Returns the response about a valid token (RFC 7662 2.2). */
function introspection(token: InspectedToken, { appID, issuer }: { appID: string; issuer: string }) {
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
