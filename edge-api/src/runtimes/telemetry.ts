import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/*
 * Starts OpenTelemetry's SDK, which reads the standard variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`, …). Used
 * without automatic instrumentation, and on Deno instead of the built-in one, because both record URLs, which contain the
 * tokens of mailed links.
 */

/** Starts the export. @returns a function that exports the remaining data before the process ends */
export function startTelemetry(): () => Promise<void> {
  const resource = resourceFromAttributes({ 'service.name': 'portal' }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const interval = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: interval,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(traces)
  metrics.setGlobalMeterProvider(meterProvider)
  return async () => {
    await Promise.allSettled([traces.shutdown(), meterProvider.shutdown()])
  }
}
