import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'

/** Minimum time between progress lines, in milliseconds. */
const MIN_INTERVAL_MS = 200

/** True if a client asks for progress lines while a long task runs, instead of a single response at the end. */
export const wantsProgress = (accept: string | undefined) => /\bapplication\/x-ndjson\b/i.test(accept ?? '')

/** Reports progress. A line that comes too soon after the previous one is skipped, unless it is marked as the last. */
export type ReportProgress = (
  line: { processed: number; total?: number; upload_id?: string },
  options?: { last: boolean },
) => void

/**
 * Streams one line of JSON per step: `{type: "progress", processed, total, …}` while `work` runs, and then `{type: "result",
 * …}` or `{type: "error", error, code, request_id}`. The work continues even if the client disconnects.
 * @param failureLogFields request ID and event name of the log line that is written if `work` fails
 */
export function streamProgress(
  ports: Ports,
  failureLogFields: { requestId: string; event: string },
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
      const finished = work((line, { last } = { last: false }) => {
        const now = performance.now()
        if (now - lastSentAt < MIN_INTERVAL_MS && !last) return
        lastSentAt = now
        send({ type: 'progress', ...line })
      })
        .then(result => send({ type: 'result', ...result }))
        .catch((error: unknown) => {
          const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
          ports.log({
            level: 'error',
            event: failureLogFields.event,
            request_id: failureLogFields.requestId,
            code: fault.code,
          })
          send({ type: 'error', ...fault.body(failureLogFields.requestId) })
        })
        .finally(() => {
          if (isConnected) controller.close()
        })
      ports.background(finished)
    },
    cancel() {
      isConnected = false
    },
  })
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}
