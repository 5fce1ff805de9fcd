import type { UploadResult } from '@portal/contract/admin-uploads'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import type { UploadRow } from './store.ts'

/** Lines of progress come no closer than this, in milliseconds. */
const APART = 200

/** True when a caller would rather follow an upload than wait for its end. */
export const wantsProgress = (accept: string | undefined) => /\bapplication\/x-ndjson\b/i.test(accept ?? '')

/**
 * Answers with a line of JSON a step: `{type: "progress", processed, total, upload_id}` while `work` goes on, then `{type:
 * "result", …}`, or `{type: "error", error, code, request_id}`. The work goes on when the caller has left.
 */
export function progressAnswer(
  ports: Ports,
  requestId: string,
  work: (onProgress: (upload: UploadRow) => void) => Promise<UploadResult>,
): Response {
  const encoder = new TextEncoder()
  let listening = true
  let shown = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (line: object) => {
        if (listening) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      const done = work(({ id, processed, total, state }) => {
        const now = performance.now()
        if (now - shown < APART && state === 'importing') return
        shown = now
        say({ type: 'progress', processed, ...(total !== null && { total }), upload_id: id })
      })
        .then(result => say({ type: 'result', ...result }))
        .catch((error: unknown) => {
          const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR')
          ports.log({ level: 'error', event: 'upload', request_id: requestId, code: fault.code })
          say({ type: 'error', ...fault.body(requestId) })
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
