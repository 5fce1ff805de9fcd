import { currentRequestId } from '../http/request-id.ts'
import type { LogLine, Ports } from '../ports.ts'
import { currentTrace } from '../telemetry.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Returns a log that writes one JSON line per record of level `minimum` or above, with the IDs of its request and trace. JSON
 * escapes control characters.
 */
export function jsonLog(minimum: (typeof levels)[number], write: (line: string) => void): Ports['log'] {
  return (line: LogLine) => {
    if (levels.indexOf(line.level) < levels.indexOf(minimum)) return
    const id = currentRequestId()
    write(
      JSON.stringify({
        time: new Date().toISOString(),
        ...(id && { request_id: id }),
        ...currentTrace(),
        ...line,
      }),
    )
  }
}
