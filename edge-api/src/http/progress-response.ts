import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'

/** Minimum time between progress lines, in milliseconds. */
const MIN_INTERVAL = 200

/** True if a client prefers to follow long work rather than wait for its end. */
export const wantsProgress = (accept: string | undefined) => /\bapplication\/x-ndjson\b/i.test(accept ?? '')

/** Reports progress; a line may be skipped unless it is the last of its kind. */
export type ReportProgress = (
  line: { processed: number; total?: number; upload_id?: string },
  more?: { last: boolean },
) => void

/**
 * Responds with a line of JSON per step: `{type: "progress", processed, total, …}` while `work` runs, then `{type: "result",
 * …}`, or `{type: "error", error, code, request_id}`. The work continues if the client disconnects.
 * @param failure name of the log event of a failure
 */
export function progressResponse(
  ports: Ports,
  failure: { requestId: string; event: string },
  work: (send: ReportProgress) => Promise<object>,
): Response {
  const encoder = new TextEncoder()
  let isConnected = true
  let lastSentAt = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (line: object) => {
        if (isConnected) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      const done = work((line, { last } = { last: false }) => {
        const now = performance.now()
        if (now - lastSentAt < MIN_INTERVAL && !last) return
        lastSentAt = now
        send({ type: 'progress', ...line })
      })
        .then(result => send({ type: 'result', ...result }))
        .catch((error: unknown) => {
          const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
          ports.log({
            level: 'error',
            event: failure.event,
            request_id: failure.requestId,
            code: fault.code,
          })
          send({ type: 'error', ...fault.body(failure.requestId) })
        })
        .finally(() => {
          if (isConnected) controller.close()
        })
      ports.background(done)
    },
    cancel() {
      isConnected = false
    },
  })
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}
