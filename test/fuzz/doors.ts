import fc from 'fast-check'
import { getNamedType, isLeafType } from 'graphql'
import { documentOf, operations } from '../support/operations.ts'
import { inputOf, text, value } from './values.ts'

export type Request = {
  door: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** What the requests know of the service, so that many of them get past the first checks. */
export type Known = {
  ids: readonly string[]
  webhookPath: string
  callers: readonly Record<string, string>[]
  operator: Record<string, string>
  client: Record<string, string>
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']
const types = [
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'],
  ...['multipart/form-data; boundary=b', 'application/json; charset=utf-16', 'nonsense', 'image/svg+xml'],
]
const plainFields = [
  ...[
    'text',
    'subject',
    'target',
    'uniqueBy',
    'threadBy',
    'state',
    'threadState',
    'threadClosed',
    'notify',
    'version',
  ],
  ...[
    'username',
    'avatarURL',
    'attachments',
    'attachment',
    'recipients',
    'silent',
    'allowMentions',
    'plain',
    'replace',
  ],
  ...['blocks', 'channel', 'alerts', 'status', 'groupLabels', 'title', 'message', 'embeds', 'payload'],
]

/** Requests at all doors of the service. */
export function requestOf(known: Known): fc.Arbitrary<Request> {
  return fc.oneof(
    { weight: 4, arbitrary: webhookCall(known) },
    { weight: 6, arbitrary: operation(known) },
    { weight: 1, arbitrary: document(known) },
    { weight: 2, arbitrary: tokenRequest(known) },
    { weight: 2, arbitrary: page(known) },
  )
}

function objectWith(
  fields: readonly string[],
  of: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .array(fc.tuple(fc.constantFrom(...fields), of), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries))
}

const jsonText = (of: fc.Arbitrary<unknown>) => of.map((each) => JSON.stringify(each))
const formText = (of: fc.Arbitrary<Record<string, unknown>>) =>
  of.map((fields) =>
    new URLSearchParams(
      Object.entries(fields).map(([name, each]) => [name, String(each)] as [string, string]),
    ).toString(),
  )

function webhookCall({ webhookPath, ids }: Known): fc.Arbitrary<Request> {
  const fields = objectWith(plainFields, fc.oneof(value, fc.constantFrom(...ids)))
  const suffix = fc.constantFrom(
    '',
    '',
    '',
    '/slack',
    '/discord',
    '/discord/v10/webhooks/1/x?wait=true',
    '/alertmanager',
    '/grafana',
    '/github',
    '/gitlab',
    '/sentry',
    '/template',
    '/apprise',
    '/files',
    '/nonsense',
  )
  const sent = fc.oneof(
    jsonText(fields).map((body) => ({ headers: json, body })),
    jsonText(value).map((body) => ({ headers: json, body })),
    formText(fields).map((body) => ({ headers: form, body })),
    jsonText(fields).map((body) => ({ headers: form, body: `payload=${encodeURIComponent(body)}` })),
    fc.tuple(fc.constantFrom(...types), fc.uint8Array({ maxLength: 300 })).map(([type, bytes]) => ({
      headers: { 'content-type': type },
      body: Buffer.from(bytes),
    })),
  )
  return fc
    .tuple(suffix, sent, fc.constantFrom('POST', 'POST', 'POST', 'POST', ...methods))
    .map(([end, { headers, body }, method]) => ({
      ...{ door: 'webhook', method, path: `${webhookPath}${end}`, headers, body },
    }))
}

function operation({ ids, callers, operator }: Known): fc.Arbitrary<Request> {
  const asked = operations.filter(({ kind }) => kind !== 'subscription')
  return fc.constantFrom(...asked).chain((one) => {
    const args = Object.fromEntries(one.args.map(({ name, type }) => [name, inputOf(type, ids, name)]))
    const selection = isLeafType(getNamedType(one.type)) ? '' : '__typename'
    return fc.tuple(fc.record(args), fc.constantFrom(...callers, operator)).map(([variables, caller]) => ({
      door: `graphql ${one.name}`,
      method: 'POST',
      path: caller === operator ? '/operator/graphql' : '/public/graphql',
      headers: { ...json, ...caller },
      body: JSON.stringify({ query: documentOf(one, variables, selection), variables }),
    }))
  })
}

function document({ callers }: Known): fc.Arbitrary<Request> {
  const query = fc.oneof(
    text,
    fc.constantFrom('{ __schema { types { name } } }', '{'.repeat(500), 'query ($a: A) { me }'),
  )
  const body = objectWith(['query', 'variables', 'operationName', 'extensions'], fc.oneof(query, value))
  return fc.tuple(jsonText(body), fc.constantFrom(...callers)).map(([sent, caller]) => ({
    ...{
      door: 'graphql document',
      method: 'POST',
      path: '/public/graphql',
      headers: { ...json, ...caller },
      body: sent,
    },
  }))
}

function tokenRequest({ client, ids }: Known): fc.Arbitrary<Request> {
  const fields = [
    'grant_type',
    'client_id',
    'client_secret',
    'scope',
    'workspace_id',
    'code',
    'refresh_token',
    'redirect_uri',
  ]
  const own = objectWith(
    fields,
    fc.oneof(text, fc.constantFrom('client_credentials', 'authorization_code', ...ids)),
  )
  const path = fc.constantFrom('/oauth/token', '/oauth/token', '/oauth/revoke', '/oauth/introspect')
  return fc.tuple(own, fc.boolean(), path).map(([random, isKnown, at]) => {
    const sent = { ...(isKnown && { ...client, grant_type: 'client_credentials' }), ...random }
    const entries = Object.entries(sent).map(([name, each]) => [name, String(each)] as [string, string])
    return {
      door: 'token',
      method: 'POST',
      path: at,
      headers: form,
      body: new URLSearchParams(entries).toString(),
    }
  })
}

const paths = [
  ...[
    '/',
    '/sign-in',
    '/sign-out',
    '/join',
    '/oauth/authorize',
    '/account',
    '/docs',
    '/explorer',
    '/health/ready',
    '/version',
  ],
  ...[
    '/.well-known/oauth-authorization-server',
    '/files',
    '/uploads',
    '/webhook',
    '/public/graphql',
    '/operator/graphql',
  ],
]

function page({ callers, ids }: Known): fc.Arbitrary<Request> {
  const segment = fc
    .oneof(fc.constantFrom(...ids), text)
    .map((each) => encodeURIComponent(Buffer.from(each).toString()))
  const search = fc.array(fc.tuple(text, text), { maxLength: 3 })
  return fc
    .record({
      method: fc.constantFrom('GET', 'GET', ...methods),
      start: fc.constantFrom(...paths),
      segments: fc.array(segment, { maxLength: 3 }),
      search,
      caller: fc.constantFrom({}, ...callers),
      type: fc.constantFrom(...types),
      body: fc.oneof(text, jsonText(value)),
    })
    .map(({ method, start, segments, search, caller, type, body }) => ({
      door: 'page',
      method,
      path: `${[start, ...segments].join('/')}?${new URLSearchParams(search)}`.slice(0, 4000),
      headers: { ...caller, ...(hasBody(method) && { 'content-type': type }) },
      ...(hasBody(method) && { body }),
    }))
}

function hasBody(method: string): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(method)
}
