import type * as OpenTelemetry from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'

export type Span = OpenTelemetry.Span
type Attributes = OpenTelemetry.Attributes
type Link = OpenTelemetry.Link
type On = { api: typeof OpenTelemetry; tracer: OpenTelemetry.Tracer; spansOf: LRUCache<string, Link> }

/** A link to the request that wrote an object is kept for this many objects. */
const maxObjects = 10_000

/** Undefined while no traces are recorded. Then each function here returns at once. */
let on: On | undefined

/** From now on, records traces with the provider that was registered at the API. */
export function recordTraces(api: typeof OpenTelemetry): () => void {
  on = { api, tracer: api.trace.getTracer('skein'), spansOf: new LRUCache({ max: maxObjects }) }
  return () => {
    on = undefined
  }
}

/** Starts a span below the active one. Returns undefined while no traces are recorded. */
export function startSpan(name: string, attributes?: Attributes): Span | undefined {
  return on?.tracer.startSpan(name, { ...(attributes && { attributes }) })
}

export function endSpan(span: Span | undefined, error?: unknown): void {
  if (!span) return
  // The message can contain what a caller sent.
  if (error && on) span.setStatus({ code: on.api.SpanStatusCode.ERROR, message: nameOf(error) })
  span.end()
}

/** Starts the span of a request. The headers can name the span of the caller (W3C Trace Context). */
export function startRequest(name: string, attributes: Attributes, headers: object): Span | undefined {
  if (!on) return undefined
  const { context, propagation, SpanKind } = on.api
  const parent = propagation.extract(context.active(), headers)
  return on.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
}

/** Runs work below a span. */
export function below<T>(span: Span | undefined, work: () => T): T {
  if (!on || !span) return work()
  const { context, trace } = on.api
  return context.with(trace.setSpan(context.active(), span), work)
}

export function linkTo(span: Span | undefined): Link | undefined {
  return span && { context: span.spanContext() }
}

/** Runs work as a trace of its own that links to others. */
export async function inOwnTrace<T>(
  name: string,
  { links, attributes }: { links: readonly (Link | undefined)[]; attributes?: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  if (!on) return work()
  const found = links.filter((link) => link !== undefined)
  const span = on.tracer.startSpan(name, { root: true, links: found, ...(attributes && { attributes }) })
  try {
    const result = await below(span, work)
    endSpan(span)
    return result
  } catch (error) {
    endSpan(span, error)
    throw error
  }
}

/** Remembers that the active span wrote an object, so that a later trace can link to it. */
export function rememberWriter(objectID: string): void {
  const span = on?.api.trace.getActiveSpan()
  if (on && span) on.spansOf.set(objectID, { context: span.spanContext() })
}

export function linkToWriter(objectID: string): Link | undefined {
  return on?.spansOf.get(objectID)
}

/** Runs a batch below the first of its calls. The other calls link to it. */
export async function inBatch<T>(calls: readonly (Span | undefined)[], work: () => Promise<T>): Promise<T> {
  const [first] = calls
  if (!on || !first) return work()
  const { context, trace } = on.api
  const parent = trace.setSpan(context.active(), first)
  const batch = on.tracer.startSpan('batch', { attributes: { 'skein.batch.calls': calls.length } }, parent)
  for (const call of calls.slice(1)) call?.addLink({ context: batch.spanContext() })
  try {
    return await below(batch, work)
  } finally {
    batch.end()
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error'
}
