import * as api from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { expect, test } from 'vitest'
import { recordTraces } from '../../src/platform/tracing.ts'
import { makeListeningWorld } from '../feeds/event-endpoints.ts'
import { atEnd } from '../support/at-end.ts'
import { allowsLoopback, startDelivering } from '../support/event-receiver.ts'
import { postToWebhook } from '../support/factories.ts'
import { listen } from '../support/live-service.ts'
import { startService } from '../support/service.ts'

const service = await startService(allowsLoopback)
await listen(service)
startDelivering(service)
const { world } = await makeListeningWorld(service)
let exporter = new InMemorySpanExporter()

/** Records traces until the end of the test. */
function record(): void {
  // An exporter takes nothing after its provider was shut down.
  exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  provider.register()
  atEnd(recordTraces(api))
  atEnd(async () => {
    await provider.shutdown()
    api.trace.disable()
    api.context.disable()
    api.propagation.disable()
  })
}

const spans = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name)
const idOf = (span: ReadableSpan) => span.spanContext().spanId
const traceOf = (span: ReadableSpan) => span.spanContext().traceId
const linksOf = (span: ReadableSpan) => span.links.map(({ context }) => context.traceId)

/** Returns the names of the spans above a span, from the nearest one on. */
function namesAbove(span: ReadableSpan | undefined): string[] {
  const above = exporter.getFinishedSpans().find((one) => idOf(one) === span?.parentSpanContext?.spanId)
  return above ? [above.name, ...namesAbove(above)] : []
}

const post = (text: string, headers = {}) =>
  postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, text }, headers)
const route = 'POST /webhook/:webhookID/:key'

test('a request, its queue and its statement are one trace, to which a pass and a delivery link', async () => {
  record()
  await post('traced')
  await expect.poll(() => spans(route).length).toBe(1)
  const [request] = spans(route)
  if (!request) throw new Error('There is no span of the request')
  const isOfRequest = (span: ReadableSpan) => traceOf(span) === traceOf(request)
  const insert = spans('statement').find(
    (span) => isOfRequest(span) && String(span.attributes['db.query.text']).includes('INSERT INTO messages'),
  )
  expect(namesAbove(insert)).toEqual(['batch', 'queue', route])
  const linking = () =>
    [...spans('sequencer pass'), ...spans('delivery')].filter((span) =>
      linksOf(span).includes(traceOf(request)),
    )
  await expect
    .poll(() =>
      linking()
        .map(({ name }) => name)
        .toSorted(),
    )
    .toEqual(['delivery', 'sequencer pass'])
  expect(linking().every((span) => !isOfRequest(span))).toBe(true)
})

test('requests that share a batch link to it', async () => {
  record()
  await Promise.all([post('one'), post('two'), post('three')])
  await expect.poll(() => spans(route).length).toBe(3)
  const batches = new Set(spans('batch').map(traceOf))
  const linked = spans('queue').filter((span) => linksOf(span).some((id) => batches.has(id)))
  expect(linked.length).toBeGreaterThanOrEqual(1)
})

test('a request continues the trace that its headers name', async () => {
  record()
  const traceID = 'a'.repeat(32)
  await post('continued', { traceparent: `00-${traceID}-${'b'.repeat(16)}-01` })
  await expect.poll(() => spans(route).map(traceOf)).toEqual([traceID])
})

test('a span has no text, no key and no URL', async () => {
  record()
  await post('a secret text')
  await expect.poll(() => spans('delivery').length).toBeGreaterThanOrEqual(1)
  const shown = JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes })),
  )
  expect(shown).not.toContain('a secret text')
  expect(shown).not.toContain(world.webhook.path.split('/').at(-1))
})

test('nothing is recorded while traces are off', async () => {
  exporter.reset()
  await post('not traced')
  expect(exporter.getFinishedSpans()).toEqual([])
})
