import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'

/** Minimum time between progress lines, in milliseconds. */
const APART = 200

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
 * @param named name of the log event of a failure
 */
export function progressAnswer(
  ports: Ports,
  named: { requestId: string; event: string },
  work: (say: ReportProgress) => Promise<object>,
): Response {
  const encoder = new TextEncoder()
  let listening = true
  let shown = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (line: object) => {
        if (listening) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      const done = work((line, { last } = { last: false }) => {
        const now = performance.now()
        if (now - shown < APART && !last) return
        shown = now
        say({ type: 'progress', ...line })
      })
        .then(result => say({ type: 'result', ...result }))
        .catch((error: unknown) => {
          const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
          ports.log({
            level: 'error',
            event: named.event,
            request_id: named.requestId,
            code: fault.code,
          })
          say({ type: 'error', ...fault.body(named.requestId) })
        })
        .finally(() => {
          if (listening) controller.close()
        })
      ports.background(done)
    },
    cancel() {
      listening = false
    },
  })
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
  })
}
