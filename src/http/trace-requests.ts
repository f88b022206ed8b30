import type { FastifyInstance, FastifyRequest } from 'fastify'
import { below, endSpan, linkTo, type Span, startRequest } from '../platform/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Records a span for each request, without its URL, because the URL of a webhook contains its key. */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers, id } = request
    const route = routeOptions.url ?? ''
    const attributes = { 'http.request.method': method, 'http.route': route, 'skein.request_id': id }
    const span = startRequest(`${method} ${route}`.trim(), attributes, headers)
    if (!span) return done()
    spans.set(request, span)
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode)
      endSpan(span, reply.statusCode >= 500 ? new Error() : undefined)
    })
    below(span, done)
  })
}

export function linkToRequest(request: FastifyRequest) {
  return linkTo(spans.get(request))
}
