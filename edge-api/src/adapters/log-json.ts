import { currentRequestId } from '../http/request-id.ts'
import type { LogLine, Ports } from '../ports.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * One JSON line a record on standard output, from `lowest` upwards, with the id of the request that it belongs to. JSON
 * escapes control characters.
 */
export function jsonLog(lowest: (typeof levels)[number], write: (line: string) => void): Ports['log'] {
  return (line: LogLine) => {
    if (levels.indexOf(line.level) < levels.indexOf(lowest)) return
    const id = currentRequestId()
    write(JSON.stringify({ time: new Date().toISOString(), ...(id && { request_id: id }), ...line }))
  }
}
