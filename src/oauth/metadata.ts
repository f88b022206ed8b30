import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { allowOnly } from '../http/allow-only.ts'
import { scopes } from '../scopes.ts'
import { grants, paths } from './routes.ts'

const secretMethods = ['client_secret_basic', 'client_secret_post']

/** Serves the metadata (RFC 8414 2). */
export function metadataRoute(app: FastifyInstance, { baseURL }: Config): void {
  const path = '/.well-known/oauth-authorization-server'
  allowOnly(app, path, ['GET', 'HEAD'])
  app.get(path, { exposeHeadRoute: true }, async () => ({
    issuer: baseURL,
    authorization_endpoint: `${baseURL}/oauth/authorize`,
    token_endpoint: `${baseURL}${paths.token}`,
    token_endpoint_auth_methods_supported: [...secretMethods, 'none'],
    revocation_endpoint: `${baseURL}${paths.revoke}`,
    revocation_endpoint_auth_methods_supported: [...secretMethods, 'none'],
    introspection_endpoint: `${baseURL}${paths.introspect}`,
    introspection_endpoint_auth_methods_supported: secretMethods,
    grant_types_supported: grants.map((grant) => grant.type),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: scopes,
    service_documentation: `${baseURL}/docs/apps`,
  }))
}
