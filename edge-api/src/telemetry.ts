import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/*
 * Traces for operators. They are off by default: without a provider (runtimes/telemetry.ts), every call below does nothing.
 * Spans are named after route patterns and statements without values, never after paths or addresses, so they contain no
 * personal data.
 */

interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
  /** Context of the parent span; by default, that of the current span. */
  parent?: Context
}

/** Runs `work` in a new span, which ends together with `work`. An exception marks the span as failed. */
export async function inSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await trace.getTracer('portal').startActiveSpan(name, { kind, attributes }, parent, async span => {
    try {
      return await work(span)
    } catch (error) {
      // Only the name of the error class, because messages may contain personal data.
      if (error instanceof Error) span.setAttribute('error.type', error.name)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Does the same as `inSpan`, for synchronous work. */
export function inSyncSpan<T>(name: string, { kind, attributes }: SpanOptions, work: () => T): T {
  const span = trace
    .getTracer('portal')
    .startSpan(name, { ...(kind && { kind }), ...(attributes && { attributes }) })
  try {
    return work()
  } finally {
    span.end()
  }
}

/** Returns the parent context of a request from its `traceparent` header (W3C Trace Context). */
export const extractParentContext = (headers: Headers): Context =>
  propagation.extract(ROOT_CONTEXT, { traceparent: headers.get('traceparent') ?? undefined })

/** Adds a `traceparent` header for the current span. */
export function injectTraceParent(headers: Headers): void {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  for (const [name, value] of Object.entries(carrier)) headers.set(name, value)
}

/** Returns the IDs of the current trace and span for log lines; empty outside a trace. */
export function currentTrace(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}
