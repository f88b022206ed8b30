import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormattedExecutionResult } from 'graphql'
import { AppError, type FieldError, invalidField, invalidInput } from '../errors.ts'
import { addToLog } from '../http/request-log.ts'

const graphqlJSON = 'application/graphql-response+json'
const json = 'application/json'
export type MediaType = typeof graphqlJSON | typeof json

const negotiated = new Map<string, MediaType | undefined>()
const maxNegotiated = 100
const maxCachedCharacters = 200

/** Returns the media type of the response (RFC 9110 12.5.1). The default is the media type that old clients expect. */
export function negotiate(accept = '*/*'): MediaType | undefined {
  if (negotiated.has(accept)) return negotiated.get(accept)
  const mediaType = preferredOf(accept)
  if (negotiated.size >= maxNegotiated) negotiated.clear()
  if (accept.length <= maxCachedCharacters) negotiated.set(accept, mediaType)
  return mediaType
}

function preferredOf(accept: string): MediaType | undefined {
  const ranges = (accept || '*/*').toLowerCase().split(',').map(mediaRange)
  const [preferred, plain] = [quality(ranges, graphqlJSON), quality(ranges, json)]
  if (preferred === 0 && plain === 0) return undefined
  const named = ranges.some(({ type }) => type === graphqlJSON)
  return preferred > plain || (preferred === plain && named) ? graphqlJSON : json
}

type MediaRange = { type: string; weight: number }

function mediaRange(text: string): MediaRange {
  const weight = /;\s*q=([\d.]+)/.exec(text)?.[1] ?? 1
  return { type: text.replace(/;.*/s, '').trim(), weight: Number(weight) || 0 }
}

function quality(ranges: MediaRange[], type: MediaType): number {
  const matching = [type, 'application/*', '*/*'].flatMap((name) =>
    ranges.filter((range) => range.type === name),
  )
  return matching[0]?.weight ?? 0
}

export function send(reply: FastifyReply, status: number, body: FormattedExecutionResult): FastifyReply {
  const mediaType = negotiate(reply.request.headers.accept) ?? json
  const code = body.errors?.[0]?.extensions?.code
  if (code !== undefined) addToLog(reply.request, { code: String(code) })
  return reply.code(status).type(`${mediaType}; charset=utf-8`).send(body)
}

/** Returns 200 for `application/json`, because a 4xx of that type could also come from an intermediary. */
export function refusalStatus(request: FastifyRequest): number {
  return negotiate(request.headers.accept) === graphqlJSON ? 400 : 200
}

export type Parameters = {
  source: string
  operationName: string | undefined
  variables: Record<string, unknown> | undefined
}

export function parametersOf(request: FastifyRequest): Parameters {
  return readParameters(request.method === 'GET' ? fromURL(request.query) : request.body)
}

/** Reads the parameters of an operation (GraphQL over HTTP, "Request Parameters"). */
export function readParameters(params: unknown): Parameters {
  if (Array.isArray(params)) throw batchNotSupported(params.length)
  if (!isMap(params)) throw invalidField('input', 'must be a single JSON object')
  const errors: FieldError[] = []
  const read = <T>(field: string, is: (value: unknown) => value is T, message: string): T | undefined => {
    const value = params[field]
    if (is(value)) return value
    if (value != null || field === 'query') errors.push({ field, message })
    return undefined
  }
  const source = read('query', isText, 'must be a string with a GraphQL document')
  const operationName = read('operationName', isText, 'must be a string')
  const variables = read('variables', isMap, 'must be a JSON object')
  read('extensions', isMap, 'must be a JSON object')
  if (source === undefined || errors.length > 0) throw invalidInput(errors)
  return { source, operationName: operationName || undefined, variables }
}

function batchNotSupported(actual: number): AppError {
  const message = 'The body is a list, but batches are not supported. Send one operation per request.'
  return new AppError('limit_exceeded', message, { limit: { name: 'operations', max: 1, actual } })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fromURL(query: unknown): unknown {
  const { variables, extensions, ...rest } = query as Record<string, unknown>
  return { ...rest, variables: fromJSON(variables), extensions: fromJSON(extensions) }
}

function fromJSON(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the `WWW-Authenticate` header (RFC 6750 3.1), with an error only if a bearer token was sent. */
export function challenge(authorization: string | undefined): string {
  return /^bearer\s/i.test(authorization ?? '')
    ? 'Bearer error="invalid_token", error_description="The access token is unknown, expired or revoked."'
    : 'Bearer realm="skein"'
}
