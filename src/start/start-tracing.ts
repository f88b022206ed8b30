import type { Logger } from 'pino'
import { recordTraces } from '../platform/tracing.ts'

const packages = '@opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http'

/**
 * Sends traces to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names, if the packages of OpenTelemetry are installed.
 * They read the other variables `OTEL_...` themselves. Returns how to send the last traces.
 */
export async function startTracing(
  env: Record<string, string | undefined>,
  log: Logger,
): Promise<() => Promise<void>> {
  const isOn = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (!isOn || env.OTEL_SDK_DISABLED === 'true') return async () => undefined
  try {
    // Variables, because these packages are not dependencies.
    const [sdkName = '', exporterName = ''] = packages.split(' ')
    const [api, sdk, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import(sdkName) as Promise<typeof import('@opentelemetry/sdk-trace-node')>,
      import(exporterName) as Promise<typeof import('@opentelemetry/exporter-trace-otlp-http')>,
    ])
    const provider = new sdk.NodeTracerProvider({
      spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
    })
    provider.register()
    recordTraces(api)
    return () => provider.shutdown().catch((err) => log.warn({ err }, 'the last traces were not sent'))
  } catch (err) {
    log.warn(
      { err },
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but there are no traces. Run: npm install ${packages}`,
    )
    return async () => undefined
  }
}
